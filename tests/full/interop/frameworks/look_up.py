"""The tool of each agent."""


def look_up(word: str) -> str:
    """Looks a word up."""
    return f"{word} means forty-two"
