"""The same agent in A2A 1.0 and 0.3."""
import re

from crosszone_agent import UserError, serve


def answer(message, task):
    words = re.findall(r"[^\W\d_]+", message.text)
    if not words:
        raise UserError("This text has no words.")
    return f"{len(words)} words, {len(message.text)} characters"


if __name__ == "__main__":
    serve(answer, name="Word counter", description="Counts words.")
