"""An agent that shows every feature, by the question: slow, ask, file, fail, crash, usage."""

from crosszone_agent import Message, Task, UserError, serve


def answer(message: Message, task: Task):
    if message.text == "slow":
        return count(task)
    if message.text == "ask":
        return f"You said {task.ask('Which city?').text}."
    if message.text == "file":
        task.file("words.csv", "text/csv", b"word,count\nhello,1\n")
        task.data({"words": 1})
        return "Here is the file."
    if message.text == "fail":
        raise UserError("I can't do that.")
    if message.text == "crash":
        raise RuntimeError("the password is in this text")
    if message.text == "usage":
        task.usage(input_tokens=1200, output_tokens=85, cost=0.004875)
    for file in message.files:
        return f"{file.name}: {len(file.bytes or b'')} bytes"
    return f"You said {message.text}."


def count(task: Task):
    """Writes a piece of its answer five times in 2.5 seconds."""
    task.progress("Counting…")
    for number in range(1, 6):
        task.canceled.wait(0.5)
        yield f"{number} "


if __name__ == "__main__":
    modes = ["text/plain", "application/json", "image/*"]
    serve(answer, name="Every feature", description="Shows what the kit can do.", input_modes=modes)
