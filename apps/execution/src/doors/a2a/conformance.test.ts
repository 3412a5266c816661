import { expect, test } from "vitest";
import { agentThat, echo, stuck } from "../../testing/start-zone.ts";
import { atOnce, type Json, messageOf, programOf, startAskedZone } from "../../testing/start-asked-zone.ts";

const failing = agentThat(async () => Promise.reject(new Error("secret")), "failing");
const filing = agentThat(
  async () => ({
    response_text: "here",
    files: [{ name: "a.txt", media_type: "text/plain", bytes: Buffer.from("hi") }],
  }),
  "filing",
);
const rpc = (method: string, params: object = {}): object => ({ jsonrpc: "2.0", id: 1, method, params });
const sending = (members: object, more: object = {}): object =>
  rpc("SendMessage", { message: messageOf("a", members), ...more });
const unknownId = "01234567-89ab-cdef-0123-456789abcdef";

const start = async () => {
  const { a2a: url, ...more } = await startAskedZone([echo, stuck, failing, filing], {
    programs: { ci: {}, other: {}, few: { agents: ["stuck"] } },
  });
  return {
    url,
    ...more,
    ci: programOf(url, "echo"),
    stuck: programOf(url, "stuck"),
    other: programOf(url, "echo", { token: "other" }),
  };
};

test("A1: every operation needs a valid token and an agent that it may ask (AUTH-SERVER-002 AUTH-SCOPE-001 AUTH-SCOPE-002)", async () => {
  const { url } = await start();
  const methods = [
    "SendMessage",
    "SendStreamingMessage",
    "GetTask",
    "ListTasks",
    "CancelTask",
    "SubscribeToTask",
    "CreateTaskPushNotificationConfig",
    "GetExtendedAgentCard",
  ];
  for (const method of methods) {
    const response = await programOf(url, "echo", { token: "wrong" }).open(rpc(method));
    expect([method, response.status]).toEqual([method, 401]);
    const { error } = await programOf(url, "echo", { token: "few" }).call(method, {});
    expect([method, error.code]).toEqual([method, -32001]);
  }
});

test("A3, A1: the task of another program or agent is not found (AUTH-SCOPE-003 CORE-GET-002 CORE-CANCEL-003 STREAM-SUB-004 CORE-MULTI-004 JSONRPC-ERR-002 JSONRPC-ERR-003)", async () => {
  const { url, ci, other, stuck: waiting } = await start();
  const { id } = await ci.send("hello");
  for (const [method, name] of [
    ["GetTask", "id"],
    ["CancelTask", "id"],
    ["SubscribeToTask", "id"],
  ] as const) {
    // At once, because concurrent requests share a read.
    const [unknown, ...others] = await Promise.all([
      ci.call(method, { [name]: unknownId }),
      ...[other, waiting].map((program) => program.call(method, { [name]: id })),
    ]);
    expect(unknown.error).toMatchObject({
      code: -32001,
      data: [{ reason: "TASK_NOT_FOUND", domain: "a2a-protocol.org" }],
    });
    for (const answer of others) expect(answer).toEqual(unknown);
  }
  const unknown = await ci.send("more", { taskId: unknownId });
  expect(unknown.error.code).toBe(-32001);
  expect(await other.send("more", { taskId: id })).toEqual(unknown);
  expect((await other.call("ListTasks")).result).toEqual({ tasks: [], nextPageToken: "", pageSize: 50, totalSize: 0 });
  expect((await programOf(url, "nothing").call("ListTasks")).error.code).toBe(-32001);
});

test.each([
  ["JSONRPC-FMT-001", { jsonrpc: "1.0", id: 1, method: "GetTask" }, -32600],
  ["JSONRPC-FMT-002", rpc("message/send"), -32601],
  ["CORE-ERR-001", rpc("GetTask"), -32602],
  ["CORE-ERR-002", sending({ parts: [] }), -32602],
  ["CORE-ERR-002", sending({ role: "user" }), -32602],
  ["CORE-ERR-002", sending({ contextId: "c".repeat(256) }), -32602],
  ["CORE-ERR-002", rpc("GetTask", { id: unknownId, historyLength: -1 }), -32602],
  ["DM-PART-001", sending({ parts: [{ text: "a", url: "b" }] }), -32602],
  ["CORE-SEND-003", sending({ parts: [{ url: "https://a.test/b" }] }), -32005],
  ["CORE-LIST-002", rpc("ListTasks", { pageToken: "x" }), -32602],
  ["CORE-LIST-002", rpc("ListTasks", { pageSize: 101 }), -32602],
  ["CORE-CAP-001", rpc("CreateTaskPushNotificationConfig"), -32003],
  ["CORE-CAP-001", rpc("GetTaskPushNotificationConfig"), -32003],
  ["CORE-CAP-001", rpc("ListTaskPushNotificationConfigs"), -32003],
  ["CORE-CAP-001", rpc("DeleteTaskPushNotificationConfig"), -32003],
  ["CORE-CAP-001", sending({}, { configuration: { taskPushNotificationConfig: { url: "https://a.test" } } }), -32003],
])("A1, A6: %s: %j is %i (JSONRPC-ERR-001)", async (_ids, body, code) => {
  const { ci } = await start();
  const response = await ci.open(body);
  expect(response.headers.get("content-type")).toBe("application/json");
  const { error } = (await response.json()) as Json;
  expect(error).toMatchObject({ code, message: expect.any(String) });
  const types = (error.data ?? []).map((detail: Json) => detail["@type"]);
  expect(types.filter((type: string) => !type.startsWith("type.googleapis.com/google.rpc."))).toEqual([]);
});

test("A2, A1: the version is that of the header or the query; without one it is 0.3 (VER-SERVER-001 VER-SERVER-002 VER-SERVER-003 VER-CLIENT-002 JSONRPC-SVC-001)", async () => {
  const { url } = await start();
  const message = { messageId: "m1", role: "user", parts: [{ kind: "text", text: "hi" }] };
  const old = { jsonrpc: "2.0", id: 1, method: "message/send", params: { message } };
  for (const version of ["", "0.3", "0.3.7"]) {
    const { result } = (await (await programOf(url, "echo", { "a2a-version": version }).open(old)).json()) as Json;
    expect(result).toMatchObject({
      kind: "task",
      status: { state: "completed" },
      artifacts: [{ parts: [{ kind: "text", text: "hi" }] }],
    });
  }
  expect((await programOf(url, "echo", { "a2a-version": "1.0.9" }).call("ListTasks")).result.totalSize).toBe(1);
  const byQuery = await fetch(`${url}echo?A2A-Version=1.0`, {
    method: "POST",
    headers: { "content-type": "application/a2a+json", authorization: "Bearer ci" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ListTasks" }),
  });
  expect(((await byQuery.json()) as Json).result.totalSize).toBe(1);
  expect((await programOf(url, "echo", { "a2a-version": "2.0" }).call("ListTasks")).error.code).toBe(-32009);
});

test("A1: a blocking message returns the ended task (CORE-SEND-001 CORE-SEND-002 CORE-EXECUTION-MODE-001 CORE-MULTI-002a STREAM-SUB-003 DM-TASK-001 DM-TASK-002 DM-MSG-001 DM-STATUS-001 DM-SERIAL-001 DM-SERIAL-002 DM-SERIAL-003 DM-SERIAL-004 DM-SERIAL-005 DM-ART-001)", async () => {
  const { ci } = await start();
  const { result } = await ci.call("SendMessage", {
    message: messageOf("hello", { contextId: "ctx", metadata: { a: 1 }, unknown: true }),
  });
  expect(result).toEqual({
    task: {
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      contextId: "ctx",
      status: { state: "TASK_STATE_COMPLETED", timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) },
      artifacts: [{ artifactId: "answer", parts: [{ text: "hello" }] }],
      history: [
        expect.objectContaining({
          role: "ROLE_USER",
          parts: [{ text: "hello" }],
          metadata: { a: 1 },
          contextId: "ctx",
          taskId: result.task.id,
        }),
      ],
    },
  });
  expect(await ci.send("more", { taskId: result.task.id })).toMatchObject({
    error: { code: -32004, message: expect.stringContaining("has ended") },
  });
  expect((await ci.call("SubscribeToTask", { id: result.task.id })).error.code).toBe(-32004);
  expect((await ci.call("CancelTask", { id: result.task.id })).error.code).toBe(-32002);
});

test("A1: a task shows as many messages as are wanted, the newest, as they were sent (CORE-HIST-001 CORE-HIST-002 CORE-HIST-003 CORE-HIST-005 CORE-HIST-006)", async () => {
  const { ci } = await start();
  const { id, history } = await ci.send("hello", { metadata: { a: 1 } });
  // ProtoJSON has a second name for each member.
  expect((await ci.call("GetTask", { id, history_length: 0 })).result).not.toHaveProperty("history");
  const shown = async (historyLength?: number): Promise<Json> =>
    (await ci.call("GetTask", { id, historyLength })).result.history;
  expect(history).toMatchObject([{ role: "ROLE_USER", parts: [{ text: "hello" }], metadata: { a: 1 }, taskId: id }]);
  expect([await shown(), await shown(1), await shown(9), await shown(0)]).toEqual([
    history,
    history,
    history,
    undefined,
  ]);
});

test("A1: returnImmediately returns a working task, which can be canceled (CORE-EXECUTION-MODE-002 CORE-CANCEL-001 CORE-CANCEL-002 CORE-MULTI-001a CORE-MULTI-003 CORE-MULTI-006)", async () => {
  const { stuck: waiting, zone } = await start();
  const task = await waiting.send("wait", {}, atOnce);
  expect([task.status.state, task.contextId.length]).toEqual(["TASK_STATE_WORKING", 36]);
  const another = await waiting.send("wait", {}, atOnce);
  expect(new Set([task.id, task.contextId, another.id, another.contextId]).size).toBe(4);
  expect((await waiting.send("more", { taskId: task.id })).error.code).toBe(-32004);
  expect((await waiting.send("more", { taskId: task.id, contextId: "another" })).error.code).toBe(-32602);
  const canceled = await waiting.call("CancelTask", { id: task.id });
  expect(canceled.result.status.state).toBe("TASK_STATE_CANCELED");
  await expect
    .poll(() => zone.log.some(({ event, state }) => event === "task_ended" && state === "canceled"))
    .toBe(true);
});

test("A1: a failed task says what failed and nothing internal (DM-MSG-002)", async () => {
  const { url } = await start();
  const task = await programOf(url, "failing", { "x-correlation-id": "corr-1" }).send("go");
  expect(task.status).toMatchObject({
    state: "TASK_STATE_FAILED",
    message: {
      role: "ROLE_AGENT",
      messageId: expect.any(String),
      parts: [{ text: "Internal error. Reference: corr-1" }],
    },
  });
});

test("A5: the same Idempotency-Key, else the same messageId, is one task", async () => {
  const { ci } = await start();
  const ids = new Set<string>();
  const params = { message: messageOf("hello") };
  for (let count = 0; count < 3; count += 1) ids.add((await ci.call("SendMessage", params)).result.task.id);
  expect(ids.size).toBe(1);
  const keyed = async (text: string) =>
    ci.call("SendMessage", { message: messageOf(text) }, { "idempotency-key": "k" });
  const first = await keyed("a");
  expect((await keyed("a")).result.task.id).toBe(first.result.task.id);
  expect((await keyed("b")).error.code).toBe(-32602);
});

test("A1: lists have pages whose tokens hold only for the same list (CORE-LIST-001 CORE-LIST-002 CORE-LIST-003 CORE-LIST-004 CORE-LIST-005)", async () => {
  const { ci, other } = await start();
  for (const text of ["a", "b", "c"]) await ci.send(text, { contextId: text });
  const list = async (params: object): Promise<Json> => (await ci.call("ListTasks", params)).result;
  const first = await list({ pageSize: 2 });
  expect(first).toMatchObject({ tasks: [{ contextId: "c" }, { contextId: "b" }], pageSize: 2, totalSize: 3 });
  expect(first.tasks[0]).not.toHaveProperty("artifacts");
  const second = await list({ pageSize: 2, pageToken: first.nextPageToken, includeArtifacts: true });
  expect(second).toMatchObject({ tasks: [{ contextId: "a", artifacts: [{}] }], nextPageToken: "", totalSize: 3 });
  for (const params of [{ contextId: "a" }, { status: "TASK_STATE_FAILED" }])
    expect((await ci.call("ListTasks", { ...params, pageToken: first.nextPageToken })).error.code).toBe(-32602);
  expect((await other.call("ListTasks", { pageToken: first.nextPageToken })).error.code).toBe(-32602);
  const [time, ...rest] = (first.nextPageToken as string).split(".");
  const pageToken = [Number(time) + 1, ...rest].join(".");
  expect((await ci.call("ListTasks", { pageToken })).error.code).toBe(-32602);
  const errorWith = async (pageKey: string): Promise<unknown> => {
    const { call } = programOf((await startAskedZone([echo], { pageKey })).a2a, "echo");
    return (await call("ListTasks", { pageToken: first.nextPageToken })).error?.code;
  };
  expect([await errorWith("a key"), await errorWith("another key")]).toEqual([undefined, -32602]);
  expect((await list({ contextId: "b" })).totalSize).toBe(1);
  expect((await list({ status: "TASK_STATE_COMPLETED" })).totalSize).toBe(3);
  expect((await list({ status: "TASK_STATE_REJECTED" })).totalSize).toBe(0);
  expect((await list({ statusTimestampAfter: new Date(Date.now() + 60_000).toISOString() })).totalSize).toBe(0);
});

test("Files come and go as bytes, and a data part is an agent's JSON", async () => {
  const { url, ci } = await start();
  const task = await programOf(url, "filing").send("go");
  expect(task.artifacts).toEqual([
    { artifactId: "answer", parts: [{ text: "here" }] },
    { artifactId: "file-1", name: "a.txt", parts: [{ raw: "aGk=", mediaType: "text/plain", filename: "a.txt" }] },
  ]);
  const parts = [{ data: { city: "Bern" } }, { raw: "aGk=", mediaType: "image/png", filename: "b.png" }];
  const sent = await ci.send("", { parts });
  expect([sent.artifacts[0].parts[0].text, sent.history[0].parts]).toEqual(['{"city":"Bern"}', parts]);
});

test("The correlation id comes back, HTTP refuses other methods and paths, and a question that was passed on too often is refused", async () => {
  const { ci, url } = await start();
  const response = await ci.open({ jsonrpc: "2.0", id: 1, method: "ListTasks" }, { "x-correlation-id": "abc" });
  expect(response.headers.get("x-correlation-id")).toBe("abc");
  const notification = await ci.open({ jsonrpc: "2.0", method: "ListTasks" });
  expect([notification.status, await notification.text()]).toEqual([204, ""]);
  expect((await fetch(`${url}echo`)).status).toBe(405);
  expect((await fetch(`${url}.well-known/agent-card.json`)).status).toBe(404);
  const passed = async (hops: string) =>
    ci.call("SendMessage", { message: messageOf("x") }, { "x-crosszone-hops": hops });
  expect((await passed("7")).result.task.status.state).toBe("TASK_STATE_COMPLETED");
  expect((await passed("8")).error).toMatchObject({ code: -32602, message: expect.stringContaining("loop") });
});
