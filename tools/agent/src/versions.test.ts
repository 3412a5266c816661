import { expect, test } from "vitest";
import { createAgent } from "./create-agent.ts";
import { atOnce, clientOf, messageOf, type Json, readEvents } from "./testing/client-of.ts";

const agent = createAgent(
  { name: "Echo", description: "Echoes.", inputModes: ["text/plain", "image/*"], onError: () => undefined },
  async ({ text, files }, task) => {
    if (text === "ask") return (await task.ask("Which?")).text;
    if (text === "file") task.file("a.txt", "text/plain", "hi");
    return `${text} ${files.length}`;
  },
);
const v1 = clientOf(agent);
const v03 = clientOf(agent, { "a2a-version": "" });
const message03 = (parts: readonly object[], members: object = {}): object => ({
  kind: "message",
  role: "user",
  messageId: crypto.randomUUID(),
  parts,
  ...members,
});
const text03 = (text: string) => ({ kind: "text", text });

test("A2A 0.3 has the same tasks in its own JSON", async () => {
  const parts = [text03("file"), { kind: "file", file: { bytes: "aGk=", mimeType: "image/png", name: "a.png" } }];
  const { result } = await v03.call("message/send", { message: message03(parts) });
  expect(result).toMatchObject({
    kind: "task",
    status: { state: "completed" },
    artifacts: [
      { parts: [{ kind: "file", file: { name: "a.txt", mimeType: "text/plain", bytes: "aGk=" } }] },
      { parts: [{ kind: "text", text: "file 1" }] },
    ],
    history: [{ kind: "message", role: "user", parts }],
  });
  expect((await v03.call("tasks/get", { id: result.id, historyLength: 0 })).result).not.toHaveProperty("history");
  expect((await v1.call("GetTask", { id: result.id })).result.status.state).toBe("TASK_STATE_COMPLETED");
});

test("A2A 0.3 streams end with a final event, and so does a question", async () => {
  const events = await readEvents(await v03.open("message/stream", { message: message03([text03("ask")]) }));
  expect(events.map(({ kind, final }) => [kind, final])).toEqual([
    ["task", undefined],
    ["status-update", true],
  ]);
  expect(events[1].status).toMatchObject({
    state: "input-required",
    message: { role: "agent", parts: [text03("Which?")] },
  });
  const { error } = await v03.call("tasks/get", { id: "unknown" });
  expect(error).toEqual({ code: -32001, message: "The task does not exist." });
});

test("an error of A2A 1.0 has its reason and names the wrong member", async () => {
  const { error } = await v1.call("GetTask", { id: "unknown" });
  expect(error.data).toEqual([
    {
      "@type": "type.googleapis.com/google.rpc.ErrorInfo",
      reason: "TASK_NOT_FOUND",
      domain: "a2a-protocol.org",
      metadata: {},
    },
  ]);
  const invalid = (await v1.call("SendMessage", { message: messageOf("a", { parts: [{ text: "a", url: "b" }] }) }))
    .error;
  expect(invalid.code).toBe(-32602);
  expect(invalid.data[0].fieldViolations[0].field).toBe("message.parts[0]");
});

test.each([
  ["no params", {}],
  ["no parts", { message: messageOf("", { parts: [] }) }],
  ["an empty part", { message: messageOf("", { parts: [{}] }) }],
  ["text that is a number", { message: messageOf("", { parts: [{ text: 1 }] }) }],
  ["a file that is not base64", { message: messageOf("", { parts: [{ raw: "%%" }] }) }],
  ["no messageId", { message: messageOf("", { messageId: "" }) }],
  ["the role of 0.3", { message: messageOf("", { role: "user" }) }],
  ["metadata that is a list", { message: messageOf("", { metadata: [] }) }],
  ["a history length below 0", { message: messageOf(""), configuration: { historyLength: -1 } }],
  ["returnImmediately as text", { message: messageOf(""), configuration: { returnImmediately: "yes" } }],
])("A2A 1.0 refuses a message with %s", async (_name, params) => {
  expect((await v1.call("SendMessage", params)).error.code).toBe(-32602);
});

test.each([
  ["an unknown kind", [{ kind: "video" }]],
  ["text without text", [{ kind: "text" }]],
  ["data without data", [{ kind: "data" }]],
  ["a file with bytes and a link", [{ kind: "file", file: { bytes: "aGk=", uri: "https://a" } }]],
  ["a part of 1.0", [{ text: "a" }]],
])("A2A 0.3 refuses a part with %s", async (_name, parts) => {
  expect((await v03.call("message/send", { message: message03(parts) })).error.code).toBe(-32602);
});

test.each([
  ["1.0.7", "ListTasks", undefined],
  [" 1.0 ", "ListTasks", undefined],
  ["0.3.0", "ListTasks", -32601],
  ["", "ListTasks", -32601],
  ["1", "ListTasks", -32009],
  ["0.2", "ListTasks", -32009],
])("A2A-Version %j: %s gets %s", async (version, method, code) => {
  const { error } = await clientOf(agent, { "a2a-version": version }).call(method, {});
  expect(error?.code).toBe(code);
});

test("tasks are listed in pages, the last changed first, without artifacts unless requested", async () => {
  const contextId = crypto.randomUUID();
  const sent: Json[] = [];
  for (const text of ["a", "b", "ask"]) sent.push(await v1.send(text, { message: { contextId }, ...atOnce }));
  const list = async (params: object): Promise<Json> => (await v1.call("ListTasks", { contextId, ...params })).result;
  const whole = await list({});
  expect(whole).toMatchObject({ nextPageToken: "", pageSize: 50, totalSize: 3 });
  expect(whole.tasks.map(({ id }: Json) => id)).toEqual(sent.map(({ id }) => id).toReversed());
  expect(whole.tasks[1]).not.toHaveProperty("artifacts");
  const first = await list({ pageSize: 2, includeArtifacts: true, historyLength: 0 });
  expect(first.tasks[1]).toMatchObject({ artifacts: [{ artifactId: "answer" }] });
  expect(first.tasks[1]).not.toHaveProperty("history");
  const second = await list({ pageSize: 2, pageToken: first.nextPageToken });
  expect([second.tasks.length, second.tasks[0].id, second.nextPageToken]).toEqual([1, sent[0].id, ""]);
  expect((await list({ status: "TASK_STATE_INPUT_REQUIRED" })).tasks).toHaveLength(1);
  expect((await list({ statusTimestampAfter: "2999-01-01T00:00:00Z" })).tasks).toHaveLength(0);
  for (const wrong of [{ pageSize: 101 }, { pageToken: "x" }, { status: "done" }, { statusTimestampAfter: "now" }])
    expect((await v1.call("ListTasks", wrong)).error.code).toBe(-32602);
});
