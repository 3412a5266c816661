import { hitlUri } from "@crosszone/agent-bridge";
import { expect, test } from "vitest";
import { type AskedInput, TaskPaused } from "../../agents/agent.ts";
import { agentThat } from "../../testing/start-zone.ts";
import { type Json, messageOf, programOf, readEvents, startAskedZone } from "../../testing/start-asked-zone.ts";

/** Asks everything at once, and answers with what was decided. */
const asking = (...asked: readonly AskedInput[]) => {
  const runs: string[] = [];
  const agent = agentThat(async ({ text }, { inputs }) => {
    runs.push(text);
    if (asked.some(({ key }) => inputs?.decided.has(key) !== true)) throw new TaskPaused(asked, { continuation: null });
    const answers = asked.map(({ key }) => inputs?.decided.get(key)?.answer);
    return {
      response_text: JSON.stringify(
        answers.map((answer) => (answer?.verdict === "answer" ? (answer.value ?? answer.values) : answer)),
      ),
    };
  }, "asking");
  return { agent, runs };
};
const people = { people: ["U_ALICE"], groups: [], requester: false, approve: 1, deny: 1 };
const program = { people: ["token:ci"], groups: [], requester: true, approve: 1, deny: 1 };
const requester = { people: [], groups: [], requester: true, approve: 1, deny: 1 };
const text: AskedInput = { key: "t", kind: "text", title: "Why?", body: "In a word.", decide: requester };
const color: AskedInput = {
  key: "c",
  kind: "choose",
  title: "Which?",
  options: [
    { value: "r", label: "Red" },
    { value: "b", label: "Blue" },
  ],
  decide: requester,
};
const trip: AskedInput = {
  key: "f",
  kind: "form",
  title: "Where to?",
  schema: {
    type: "object",
    properties: { city: { type: "string", title: "City" }, nights: { type: "integer" }, pets: { type: "boolean" } },
    required: ["city"],
  },
  decide: requester,
};
const pay: AskedInput = {
  key: "p",
  kind: "approve",
  title: "Pay?",
  action: { agent: "asking", tool: "pay", arguments: { euros: 5 } },
  decide: program,
};
const secret: AskedInput = { ...pay, key: "s", title: "Delete?", decide: people };

const structured = { "a2a-extensions": hitlUri };
const replyOf = (response: object) => ({
  extensions: [hitlUri],
  metadata: { [hitlUri]: response },
  parts: [{ text: "see metadata" }],
});
const dataOf = (...data: readonly object[]) => ({ parts: data.map((one) => ({ data: one })) });
const requestIn = (task: Json): Json => task.status.message.metadata[hitlUri];

async function pause(asked: readonly AskedInput[], headers: Readonly<Record<string, string>> = {}) {
  const { agent, runs } = asking(...asked);
  const { a2a: url, zone } = await startAskedZone([agent]);
  await zone.inputs.requests.follow("verification");
  const ci = programOf(url, "asking", headers);
  const task = await ci.send("go", { contextId: "ctx" });
  expect(task.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
  const open = await zone.inputs.requests.list({ taskId: task.id, state: "open" }, { limit: 9 });
  const idOf = (title: string): string => open.find((one) => one.title === title)?.request_id ?? "";
  const reply = (members: object, words = "") => ci.send(words, { taskId: task.id, ...members });
  return { ci, url, task, runs, idOf, reply, inputs: zone.inputs.requests };
}
const outputOf = (task: Json): Json => JSON.parse(task.artifacts?.[0].parts[0].text ?? JSON.stringify(task));

test("P3, A1: a text answers a question in words, and the task goes on exactly there, in its context (CORE-MULTI-005)", async () => {
  const { task, reply, runs, ci } = await pause([text]);
  expect(task.status.message).toMatchObject({ role: "ROLE_AGENT", parts: [{ text: "Why?\nIn a word." }] });
  expect(task.status.message).not.toHaveProperty("metadata");
  const ended = await reply({}, "because");
  expect([ended.status.state, ended.id, outputOf(ended)]).toEqual(["TASK_STATE_COMPLETED", task.id, ["because"]]);
  expect(ended.contextId).toBe(task.contextId);
  expect(runs).toEqual(["go", "go"]);
  expect((await ci.send("more", { taskId: task.id })).error.code).toBe(-32004);
});

test.each([
  [[color], {}, "BLUE", ["b"]],
  [[color], {}, "r", ["r"]],
  [[trip], dataOf({ city: "Bern", nights: 2 }), "", [{ city: "Bern", nights: 2 }]],
  [[pay], dataOf({ verdict: "approve" }), "", [{ verdict: "approve" }]],
  [[text], dataOf({ verdict: "deny", reason: "no" }), "", [{ verdict: "deny", reason: "no" }]],
])("P3: %j is answered by %j %s", async (...[asked, members, words, output]) => {
  const { reply } = await pause(asked);
  expect(outputOf(await reply(members, words))).toEqual(output);
});

test.each([
  ["a word that is no option", [color], {}, "green"],
  ["a text for a form", [trip], {}, "Bern"],
  ["a form with a wrong type", [trip], dataOf({ city: 5 }), ""],
  ["a text for an approval", [pay], {}, "yes"],
  ["a verdict that does not exist", [text], dataOf({ verdict: "maybe", value: "x" }), ""],
  ["a value that is no text", [text], dataOf({ value: 5 }), ""],
  ["two open requests and no ids", [text, color], {}, "red"],
  ["no text", [text], { parts: [{ raw: "aGk=" }] }, ""],
])("%s answers nothing, and the error says what to send", async (...[, asked, members, words]) => {
  const { reply, ci, task } = await pause(asked);
  const { error } = await reply(members, words);
  expect([error.code, error.message.length > 20]).toEqual([-32602, true]);
  expect((await ci.call("GetTask", { id: task.id })).result.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
});

test("Several open requests are answered by their ids, in one message or in several", async () => {
  const { reply, idOf } = await pause([text, color]);
  const one = await reply(dataOf({ request_id: idOf("Which?"), value: "b" }));
  expect(one.status).toMatchObject({
    state: "TASK_STATE_INPUT_REQUIRED",
    message: { parts: [{ text: "Why?\nIn a word." }] },
  });
  expect(outputOf(await reply({}, "so"))).toEqual(["so", "b"]);
  const both = await pause([text, color]);
  const data = dataOf({ request_id: both.idOf("Which?"), value: "r" }, { request_id: both.idOf("Why?"), value: "yes" });
  expect(outputOf(await both.reply(data))).toEqual(["yes", "r"]);
});

test("P8: an approval of people is refused to a program, and the task waits for them", async () => {
  const { reply, ci, task, inputs, idOf } = await pause([secret]);
  const { error } = await reply(dataOf({ verdict: "approve" }));
  expect(error).toMatchObject({
    code: -32004,
    message: expect.stringContaining("Only U_ALICE can decide this, in Slack. It waits until"),
  });
  expect((await ci.call("GetTask", { id: task.id })).result.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
  const open = await ci.open({ jsonrpc: "2.0", id: 1, method: "SubscribeToTask", params: { id: task.id } });
  const by = { user_id: "U_ALICE", groups: [] };
  let shown = "";
  for await (const piece of open.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const wasAsked = shown.includes("statusUpdate");
    shown += piece;
    if (!wasAsked && shown.includes("statusUpdate"))
      await inputs.answer(idOf("Delete?"), { answer: { verdict: "deny" }, by, via: "slack" });
  }
  // A reader that subscribes while the task waits gets its end too (STREAM-SUB-002 AUTH-INTASK-005).
  const states = readEvents(shown).map(({ result }) => (result.task ?? result.statusUpdate)?.status.state);
  expect([states[0], states[1], states.at(-1)]).toEqual([
    "TASK_STATE_INPUT_REQUIRED",
    "TASK_STATE_INPUT_REQUIRED",
    "TASK_STATE_COMPLETED",
  ]);
});

test("P3, A1: approvals of hitl/v1 are structured for a client that names the extension, and each id is answered exactly once (JSONRPC-SVC-002)", async () => {
  const { task, reply, idOf, ci } = await pause([pay, { ...pay, key: "q", title: "Pay more?" }], structured);
  const request = requestIn(task);
  expect(task.status.message.extensions).toEqual([hitlUri]);
  expect(request).toMatchObject({
    type: "tool_approval_request",
    tools: [{ name: "pay", args: { euros: 5 } }, { name: "pay" }],
  });
  const [first, second] = [idOf("Pay?"), idOf("Pay more?")];
  expect(request.tools.map(({ id }: Json) => id).toSorted()).toEqual([first, second].toSorted());
  const approvals = [
    { id: first, approved: true },
    { id: second, approved: false, rejection_reason: "enough" },
  ];
  for (const wrong of [
    approvals.slice(1),
    [...approvals, ...approvals],
    [{ id: "x", approved: true }, approvals[0]],
    [approvals[0], { id: second }],
  ])
    expect((await reply(replyOf({ type: "tool_approval_response", approvals: wrong }))).error.code).toBe(-32602);
  for (const wrong of [{ type: "else" }, { type: "ask_user_response", id: first, answers: [] }])
    expect((await reply(replyOf(wrong))).error.code).toBe(-32602);
  const response = await ci.open({ jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: task.id } });
  expect(response.headers.get("a2a-extensions")).toBe(hitlUri);
  const ended = await reply(replyOf({ type: "tool_approval_response", approvals }));
  expect(outputOf(ended)).toEqual([{ verdict: "approve" }, { verdict: "deny", reason: "enough" }]);
});

test("P3: questions of hitl/v1 are structured too, one for each field of a form, and what is left follows", async () => {
  const { task, reply, ci } = await pause([trip, color], { "a2a-version": "1.0", ...structured });
  const request = requestIn(task);
  expect(request).toMatchObject({
    type: "ask_user_request",
    questions: [
      { question: "City", choices: [] },
      { question: "nights" },
      { question: "pets", choices: ["yes", "no"] },
    ],
  });
  const answers = [{ answer: ["Bern"] }, { answer: ["2"] }, { answer: ["no"] }];
  const next = await reply(replyOf({ type: "ask_user_response", id: request.id, answers }));
  expect(requestIn(next)).toMatchObject({
    questions: [{ question: "Which?", choices: ["Red", "Blue"], multiple: false }],
  });
  const params = {
    message: messageOf("", {
      taskId: task.id,
      ...replyOf({ type: "ask_user_response", id: requestIn(next).id, answers: [{ answer: ["Blue"] }] }),
    }),
  };
  const events = await ci.stream("SendStreamingMessage", params);
  expect(events[0]?.result.task.status.state).toBe("TASK_STATE_WORKING");
  expect(events.at(-1)?.result.statusUpdate.status.state).toBe("TASK_STATE_COMPLETED");
  expect((await ci.call("GetTask", { id: task.id })).result.artifacts[0].parts[0].text).toBe(
    '[{"city":"Bern","nights":2,"pets":false},"b"]',
  );
});

test("J1: a program whose issuer gave it a long name could not be asked anything", async () => {
  const { ci, task } = await pause([text], { token: "x".repeat(500) });
  const ended = await ci.send("it rains", { taskId: task.id });
  expect(ended).toMatchObject({ id: task.id, status: { state: "TASK_STATE_COMPLETED" } });
});
