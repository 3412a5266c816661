"""What is refused, how, and in which version."""

from __future__ import annotations

import json
import unittest

from .client import Json, client_of, params_of

SEND = {"jsonrpc": "2.0", "id": 1, "method": "SendMessage"}


def with_message(**changes: object) -> Json:
    message = {"messageId": "m", "role": "ROLE_USER", "parts": [{"text": "hi"}], **changes}
    return {**SEND, "params": {"message": {key: value for key, value in message.items() if value != "absent"}}}


class Wire(unittest.TestCase):
    def test_each_invalid_request_gets_its_error(self):
        wrong = [
            (b"{", -32700),
            (b'"\xff"', -32700),
            (b'{"a": NaN}', -32700),
            (b"[" * 100 + b"]" * 100, -32600),
            ([], -32600),
            ([with_message()], -32600),
            ({**SEND, "jsonrpc": "1.0"}, -32600),
            ({**SEND, "id": {}}, -32600),
            ({**SEND, "id": True}, -32600),
            ({**SEND, "method": 1}, -32600),
            ({**SEND, "method": "message/send"}, -32601),
            ({**SEND, "params": []}, -32602),
            (SEND, -32602),
            (with_message(messageId="absent"), -32602),
            (with_message(messageId=""), -32602),
            (with_message(role="user"), -32602),
            (with_message(parts=[]), -32602),
            (with_message(parts=[{}]), -32602),
            (with_message(parts=[{"text": 1}]), -32602),
            (with_message(parts=[{"text": "a", "data": 1}]), -32602),
            (with_message(parts=[{"raw": "?"}]), -32602),
            (with_message(contextId=1), -32602),
            (with_message(metadata=1), -32602),
            (with_message(taskId="unknown"), -32001),
            (with_message(parts=[{"raw": "aGk=", "mediaType": "image/png"}]), -32005),
            ({**SEND, "params": {**params_of("hi"), "configuration": {"historyLength": -1}}}, -32602),
            ({**SEND, "params": {**params_of("hi"), "configuration": {"taskPushNotificationConfig": {}}}}, -32003),
            ({**SEND, "method": "CreateTaskPushNotificationConfig", "params": {}}, -32003),
            ({**SEND, "method": "GetExtendedAgentCard"}, -32004),
            ({**SEND, "method": "GetTask", "params": {}}, -32602),
            ({**SEND, "method": "ListTasks", "params": {"pageSize": 0}}, -32602),
            ({**SEND, "method": "ListTasks", "params": {"status": "working"}}, -32602),
            ({**SEND, "method": "ListTasks", "params": {"statusTimestampAfter": "yesterday"}}, -32602),
        ]
        with client_of(lambda *_: "hi") as client:
            for request, code in wrong:
                with self.subTest(request=request):
                    status, response = client.post(request)
                    self.assertEqual((200, code), (status, response["error"]["code"]))

    def test_an_error_of_1_0_has_typed_details_and_one_of_0_3_has_not(self):
        with client_of(lambda *_: "hi") as client:
            unknown = client.call("GetTask", {"id": "x"})["error"]
            invalid = client.call("GetTask", {"id": 1})["error"]
            older = client.call("tasks/get", {"id": "x"}, "")["error"]
        self.assertEqual("TASK_NOT_FOUND", unknown["data"][0]["reason"])
        self.assertEqual("id", invalid["data"][0]["fieldViolations"][0]["field"])
        self.assertEqual((-32001, False), (older["code"], "data" in older))

    def test_the_version_is_a_header_or_a_parameter_and_its_patch_does_not_count(self):
        task = {"jsonrpc": "2.0", "id": 1, "method": "GetTask", "params": {"id": "x"}}
        headers = {"Content-Type": "application/json"}
        with client_of(lambda *_: "hi") as client:
            codes = [client.post(task, version)[1]["error"]["code"] for version in ("1.0", "1.0.1", "", "0.3", "2.0")]
            by_query = client.request("POST", "/?A2A-Version=1.0", json.dumps(task).encode(), headers)
            self.assertEqual(-32001, json.loads(by_query.read())["error"]["code"])
        self.assertEqual([-32001, -32001, -32601, -32601, -32009], codes)

    def test_a_client_of_0_3_gets_its_own_shapes(self):
        def answer(message, task):
            task.file("a.txt", "text/plain", b"hi")
            task.data([1])
            return message.text

        parts = [{"kind": "text", "text": "hi"}, {"kind": "data", "data": {"a": 1}}]
        params = {"message": {"kind": "message", "messageId": "m", "role": "user", "parts": parts}}
        with client_of(answer) as client:
            task, *_, last = client.events("message/stream", params, "")
            whole = client.call("tasks/get", {"id": task["id"], "historyLength": 1}, "")["result"]
            wrong = client.call("message/send", {"message": {**params["message"], "role": "ROLE_USER"}}, "")
        self.assertEqual(("task", "working"), (task["kind"], task["status"]["state"]))
        self.assertEqual(("status-update", True, "completed"), (last["kind"], last["final"], last["status"]["state"]))
        self.assertEqual(parts, whole["history"][0]["parts"])
        made = [artifact["parts"][0] for artifact in whole["artifacts"]]
        file = {"kind": "file", "file": {"bytes": "aGk=", "mimeType": "text/plain", "name": "a.txt"}}
        self.assertEqual([file, {"kind": "data", "data": {"value": [1]}}, {"kind": "text", "text": "hi"}], made)
        self.assertEqual(-32602, wrong["error"]["code"])

    def test_a_request_without_an_id_runs_nothing_and_gets_no_response(self):
        runs = []
        with client_of(lambda message, _: runs.append(message)) as client:
            request = with_message()
            del request["id"]
            self.assertEqual((204, None), client.post(request))
        self.assertEqual([], runs)

    def test_text_that_no_encoding_has_comes_back_as_a_question_mark(self):
        with client_of(lambda message, _: message.text) as client:
            _, response = client.post(json.dumps(with_message(parts=[{"text": "a\ud800b"}])).encode())
        self.assertEqual("a?b", response["result"]["task"]["artifacts"][0]["parts"][0]["text"])
