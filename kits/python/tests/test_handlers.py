"""What a handler gets, and what becomes of what it does."""

from __future__ import annotations

import asyncio
import contextlib
import io
import threading
import unittest

from crosszone_agent import File, TaskCanceled, UserError

from .client import client_of, text_of


class Handlers(unittest.TestCase):
    def test_a_handler_gets_the_text_data_files_and_ids_of_a_message(self):
        received = []
        parts = [
            {"text": "one"},
            {"text": '{"thread": []}'},
            {"text": "two"},
            {"data": [1]},
            {"raw": "aGk=", "filename": "a.txt", "mediaType": "text/plain"},
            {"url": "https://files.example.com/b"},
        ]
        with client_of(lambda message, _: received.append(message), input_modes=["*/*"]) as client:
            task = client.send("", {"parts": parts, "contextId": "c1", "metadata": {"a": 1}})
        (message,) = received
        self.assertEqual(('one\n{"thread": []}\ntwo', [[1]]), (message.text, message.data))
        self.assertEqual(("c1", task["id"], {"a": 1}), (message.context_id, message.task_id, message.metadata))
        link = File(url="https://files.example.com/b")
        self.assertEqual([File("a.txt", "text/plain", b"hi"), link], message.files)

    def test_a_stream_has_each_piece_in_order_and_the_sum_of_the_usage(self):
        def answer(_, task):
            task.progress("Looking…")
            task.usage(input_tokens=2)
            task.usage(input_tokens=3, cost=0.5)
            task.file("a.txt", "text/plain", b"hi")
            task.write("one ")
            task.data({"n": 1})
            return "end"

        with client_of(answer) as client:
            first, progress, *updates, last = client.stream("go")
        self.assertEqual("TASK_STATE_WORKING", first["task"]["status"]["state"])
        self.assertEqual([{"text": "Looking…"}], progress["statusUpdate"]["status"]["message"]["parts"])
        made = [update["artifactUpdate"] for update in updates]
        ids = [each["artifact"]["artifactId"] for each in made]
        self.assertEqual(["file-1", "answer", "data-2", "answer"], ids)
        self.assertEqual([False, False, False, True], [each.get("append", False) for each in made])
        self.assertEqual({"usage": {"input_tokens": 5, "cost": 0.5}}, last["statusUpdate"]["metadata"])
        self.assertEqual("TASK_STATE_COMPLETED", last["statusUpdate"]["status"]["state"])

    def test_generators_coroutines_and_async_generators_answer_too(self):
        def pieces(message, _):
            yield "one "
            yield "two"

        async def coroutine(message, task):
            await asyncio.sleep(0)
            city = await task.ask("Which city?")
            return f"{city.text}!"

        async def async_pieces(message, _):
            yield "one "
            await asyncio.sleep(0)
            yield "two"

        for handler in (pieces, async_pieces):
            with client_of(handler) as client:
                self.assertEqual("one two", text_of(client.send("go")))
        with client_of(coroutine) as client:
            task = client.send("go")
            self.assertEqual("Oslo!", text_of(client.send("Oslo", {"taskId": task["id"]})))

    def test_the_answer_to_a_question_reaches_the_handler(self):
        with client_of(lambda message, task: f"You said {task.ask('Which city?').text}.") as client:
            asked = client.send("go")
            self.assertEqual("TASK_STATE_INPUT_REQUIRED", asked["status"]["state"])
            self.assertEqual([{"text": "Which city?"}], asked["status"]["message"]["parts"])
            done = client.send("Oslo", {"taskId": asked["id"]})
            late = client.call("SendMessage", {"message": {**late_message, "taskId": asked["id"]}})
        self.assertEqual("You said Oslo.", text_of(done))
        roles = [message["role"] for message in done["history"]]
        self.assertEqual(["ROLE_USER", "ROLE_AGENT", "ROLE_USER"], roles)
        self.assertEqual(-32004, late["error"]["code"])

    def test_a_canceled_task_stops_its_handler(self):
        started, stopped = threading.Event(), threading.Event()

        def answer(_, task):
            started.set()
            try:
                while True:
                    task.canceled.wait(10)
                    task.write("more")
            except TaskCanceled:
                stopped.set()
                raise

        async def sleep(_, task):
            started.set()
            try:
                await asyncio.sleep(10)
            finally:
                stopped.set()

        for handler in (answer, sleep):
            started.clear()
            stopped.clear()
            with client_of(handler) as client:
                task = client.send("go", returnImmediately=True)
                # Otherwise the cancel can arrive before the handler runs.
                self.assertTrue(started.wait(10))
                canceled = client.call("CancelTask", {"id": task["id"]})["result"]
                self.assertTrue(stopped.wait(10))
                again = client.call("CancelTask", {"id": task["id"]})
            self.assertEqual("TASK_STATE_CANCELED", canceled["status"]["state"])
            self.assertEqual(-32002, again["error"]["code"])

    def test_the_text_of_an_error_reaches_the_client_only_if_it_is_for_people(self):
        def answer(message, _):
            raise UserError("No such city.") if message.text == "known" else RuntimeError("password=hunter2")

        with contextlib.redirect_stderr(io.StringIO()) as log, client_of(answer) as client:
            known, unknown = client.send("known"), client.send("unknown")
        self.assertEqual("No such city.", known["status"]["message"]["parts"][0]["text"])
        said = unknown["status"]["message"]["parts"][0]["text"]
        self.assertEqual(f"The agent could not finish this task. Reference: {unknown['id']}", said)
        self.assertIn("RuntimeError: password=hunter2", log.getvalue())

    def test_an_answer_that_is_no_text_fails_the_task(self):
        with contextlib.redirect_stderr(io.StringIO()) as log, client_of(lambda *_: {"a": 1}) as client:
            self.assertEqual("TASK_STATE_FAILED", client.send("go")["status"]["state"])
        self.assertIn("A handler returns text or None, got dict.", log.getvalue())


late_message = {"messageId": "late", "role": "ROLE_USER", "parts": [{"text": "late"}]}
