import { expect, test } from "vitest";
import {
  artifact,
  type BrokenAgent,
  cardOf,
  completed,
  json,
  piece,
  result,
  says,
  stream,
  task,
  askBrokenAgents,
} from "../harness/start-broken-agents.ts";

type Answer = BrokenAgent["answer"];

const breaks: Answer = (_call, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
  setTimeout(() => response.destroy(), 50);
};

const replies =
  (content: object): Answer =>
  ({ id }, response) =>
    json(response, { jsonrpc: "2.0", id, ...content });

/** Answers each method in its own way. */
const by =
  (methods: Readonly<Record<string, Answer>>): Answer =>
  (call, response) =>
    (methods[call.method ?? ""] ?? replies({ error: { code: -32_601, message: "Method not found" } }))(call, response);

/** Refuses a message with a context id. */
const inOwnContext =
  (refusal: object): Answer =>
  (call, response) =>
    (call.params?.message?.contextId !== undefined ? replies(refusal) : stream(piece("42"), completed))(call, response);

const isAt = (state: string, message?: object): object => ({ ...completed, status: { state, message }, final: true });
const whole = { ...task, status: { state: "completed" }, artifacts: [artifact] };
const inEvent = (content: object) => `data: ${JSON.stringify({ jsonrpc: "2.0", ...content })}`;
const note = { ...piece(""), artifact: { artifactId: "n", parts: [{ kind: "text", text: "A draft." }] } };
const failed = "could not finish this and did not say why.\n_Reference: …_";
const lost =
  "accepted this, but its connection ended without an answer. It may have acted: please check before you ask again.";

/** Legal forms of a call that need the wire: how an agent answers, and the whole message that a person reads, `42` unless it is given. `#` is the agent's name. */
const forms: Readonly<Record<string, readonly [answer: Answer, words?: string]>> = {
  "late-artifact": [stream(completed, 100, piece("42"))],
  "late-artifact-open": [stream(completed, 100, piece("42"), "open")],
  "late-task": [stream(completed, 100, whole)],
  "late-second-artifact": [stream(piece("42"), completed, 100, note), "42\n\nA draft."],
  "late-error": [
    stream(piece("42"), completed, `${inEvent({ id: null, error: { code: -32_603, message: "x" } })}\n\n`),
  ],
  "done-after-the-end": [stream(piece("42"), completed, "data: [DONE]\n\n")],
  "working-after-the-end": [stream(piece("42"), completed, isAt("working"), "open")],
  "stored-after-the-end": [by({ "message/stream": stream(completed), "tasks/get": result(whole) })],
  "never-an-answer": [
    by({ "message/stream": stream(completed), "tasks/get": replies({ error: { code: -32_001, message: "gone" } }) }),
    "The agent finished without an answer.",
  ],
  "signed-in-meanwhile": [
    stream(isAt("auth-required", says("Sign in.")), 100, isAt("working"), piece("42"), completed),
  ],
  "state-unknown": [stream({ ...task, status: { state: "unknown" } }, piece("42"), completed)],
  "state-unknown-polled": [
    by({ "message/stream": result({ ...task, status: { state: "unknown" } }), "tasks/get": result(whole) }),
  ],
  "context-unknown": [inOwnContext({ error: { code: -32_001, message: "Task not found" } })],
  "context-refused": [inOwnContext({ error: { code: -32_602, message: "Unknown contextId." } })],
  "session-not-found": [
    inOwnContext({ result: { ...task, status: { state: "rejected", message: says("Session 7 not found") } } }),
  ],
  "opens-and-ends": [stream(), `The agent “#” ${lost}\n_Reference: …_`],
  "opens-and-breaks": [breaks, `The agent “#” ${lost}\n_Reference: …_`],
  "throws-in-javascript": [
    stream(isAt("failed", says("Agent execution error: no such table: users"))),
    `The agent “#” ${failed}`,
  ],
  "fails-in-words": [
    stream(isAt("failed", says("The archive burned down."))),
    "The agent “#” could not finish this. It says:\n> The archive burned down.\n_Reference: …_",
  ],
};

test("J4, J9, J11: a person reads each legal form of a call whole, byte for byte, and each agent is asked once", async () => {
  const agents = Object.fromEntries(
    Object.entries(forms).map(([name, [answer]]) => [name, { answer, words: "", card: cardOf("0.3") }]),
  );
  const { calls, read } = await askBrokenAgents(agents);
  const expected = Object.entries(forms).map(([name, [, words = "42"]]) => {
    return [name, { words: words.replace("#", name), files: [] }] as const;
  });
  await expect.poll(read, { timeout: 30_000 }).toEqual(Object.fromEntries(expected));
  const sent = [...calls].map(([name, all]) => [name, all.filter(({ method }) => method !== "tasks/get").length]);
  expect(Object.fromEntries(sent)).toEqual(
    Object.fromEntries(Object.keys(forms).map((name) => [name, /context|session/.test(name) ? 2 : 1])),
  );
});
