from crosszone_agent import serve


def answer(message, task):
    task.progress("Counting…")
    return f"{len(message.text.split())} words"


if __name__ == "__main__":
    serve(answer, name="Word counter", description="Counts words.")
