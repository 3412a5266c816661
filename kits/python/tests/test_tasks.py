"""How tasks are kept, and what streams see of them."""

from __future__ import annotations

import threading
import time
import unittest

from crosszone_agent.event_log import MAX_EVENTS
from crosszone_agent.record import TaskRecord

from .client import client_of, params_of, text_of


class Tasks(unittest.TestCase):
    def test_the_same_message_runs_the_handler_once(self):
        runs = []
        with client_of(lambda message, _: runs.append(message) or "done") as client:
            first = client.send("go", {"messageId": "same"})
            self.assertEqual(first, client.send("go", {"messageId": "same"}))
        self.assertEqual(1, len(runs))

    def test_a_client_that_goes_away_does_not_cancel_its_task(self):
        may_end = threading.Event()
        with client_of(lambda *_: str(may_end.wait(10))) as client:
            events = client.events("SendStreamingMessage", params_of("go"))
            task_id = next(events)["task"]["id"]
            events.close()
            may_end.set()
            self.assertEqual("True", text_of(client.wait(task_id, "COMPLETED")))

    def test_the_oldest_ended_tasks_are_dropped_and_a_new_one_is_refused_when_all_work(self):
        may_end = threading.Event()
        with client_of(lambda message, _: message.text == "slow" and may_end.wait(10) or "", max_tasks=2) as client:
            first = client.send("first")
            slow = [client.send("slow", returnImmediately=True) for _ in range(2)]
            self.assertEqual(-32001, client.call("GetTask", {"id": first["id"]})["error"]["code"])
            request = {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": params_of("more")}
            status, refused = client.post(request)
            may_end.set()
            client.wait(slow[0]["id"], "FAILED")
        self.assertEqual((503, -32000), (status, refused["error"]["code"]))

    def test_tasks_and_questions_that_take_too_long_fail(self):
        handlers = [lambda _, task: task.canceled.wait(20), lambda _, task: task.ask("Well?")]
        texts = ["The agent took too long.", "The question was not answered in time."]
        for handler, text in zip(handlers, texts):
            with client_of(handler, task_timeout=0.1, question_timeout=0.1) as client:
                task = client.wait(client.send("go", returnImmediately=True)["id"], "FAILED")
            self.assertEqual(text, task["status"]["message"]["parts"][0]["text"])

    def test_all_streams_of_a_task_get_the_same_events(self):
        subscribed = threading.Event()

        def answer(_, task):
            subscribed.wait(10)
            for number in range(5):
                task.write(f"{number} ")
                time.sleep(0.01)

        with client_of(answer) as client:
            first = client.events("SendStreamingMessage", params_of("go"))
            task_id = next(first)["task"]["id"]
            second = client.events("SubscribeToTask", {"id": task_id})
            self.assertEqual(task_id, next(second)["task"]["id"])
            subscribed.set()
            one, other = list(first), list(second)
            ended = client.call("SubscribeToTask", {"id": task_id})
        self.assertEqual(one, other)
        self.assertEqual(-32004, ended["error"]["code"])

    def test_a_reader_that_falls_behind_gets_the_whole_answer_and_takes_no_memory(self):
        record = TaskRecord({"messageId": "m", "parts": []}, 1, "")
        _, slow = record.follow(lambda state: state == "TASK_STATE_COMPLETED")
        _, fast = record.follow(lambda state: state == "TASK_STATE_COMPLETED")
        for number in range(3 * MAX_EVENTS):
            record.progress(str(number))
        record.finish("completed", answer="the answer")
        events = list(slow)
        self.assertEqual(events, list(fast))
        self.assertEqual("the answer", events[0]["artifactUpdate"]["artifact"]["parts"][0]["text"])
        self.assertEqual("TASK_STATE_COMPLETED", events[-1]["statusUpdate"]["status"]["state"])
        self.assertLess(len(events), MAX_EVENTS)

    def test_an_answer_has_a_largest_size(self):
        def answer(_, task):
            while True:
                task.write("x" * 1_000_000)

        with client_of(answer) as client:
            task = client.send("go")
        self.assertIn("The answer is larger than", task["status"]["message"]["parts"][0]["text"])

    def test_tasks_are_listed_newest_first_in_pages(self):
        with client_of(lambda message, _: message.text) as client:
            made = [client.send(str(number), {"contextId": "c"})["id"] for number in range(3)]
            client.send("elsewhere")
            page = client.call("ListTasks", {"contextId": "c", "pageSize": 2})["result"]
            token = page["nextPageToken"]
            rest = client.call("ListTasks", {"contextId": "c", "pageSize": 2, "pageToken": token})["result"]
            wrong = client.call("ListTasks", {"pageToken": "!"})
        self.assertEqual(made[::-1], [task["id"] for task in page["tasks"] + rest["tasks"]])
        self.assertEqual(("", 3, 2), (rest["nextPageToken"], rest["totalSize"], rest["pageSize"]))
        self.assertNotIn("artifacts", page["tasks"][0])
        self.assertEqual(-32602, wrong["error"]["code"])
