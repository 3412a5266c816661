import { expect, it } from "vitest";
import type { ControlEvent } from "../protocol/control-api.ts";
import type { Message } from "../protocol/workspace.ts";
import { answerState, answersTo } from "./answer.ts";
import { ask } from "./ask.ts";
import { type ControlClient, UnreachableError } from "./control-client.ts";

const question: Message = { channel: "D1", ts: "1.000001", user: "U1", text: "?" };
const answer = (rest: Partial<Message> = {}): Message => ({
  channel: "D1",
  ts: "1.000002",
  thread_ts: "1.000001",
  user: "UB",
  bot_id: "B1",
  text: "!",
  ...rest,
});
const task = (state: string, rest: object = {}): Pick<Message, "metadata"> => ({
  metadata: { event_type: "crosszone_task", event_payload: { state, ...rest } },
});

async function* stream(...events: ControlEvent[]): AsyncGenerator<ControlEvent> {
  yield* events;
}

/** A client whose streams end one after the other, and whose thread then reads as given. */
function brokenClient(streams: (AsyncIterable<ControlEvent> | Error)[], thread: Message[]): ControlClient {
  return {
    workspace: () => Promise.reject(new Error("not asked for here")),
    post: () => Promise.resolve(question),
    messages: () => Promise.resolve(thread),
    stop: () => Promise.resolve(),
    events: async () => {
      const next = streams.shift() ?? stream();
      if (next instanceof Error) throw next;
      return next;
    },
  };
}

const options = { timeoutMs: 5000, posted: () => undefined, show: () => undefined };
const post = { channel: "dm", text: "?" };

it("reads the thread again when the stream breaks, so an answer given meanwhile is not missed", async () => {
  const placeholder = answer(task("working"));
  const gone = answer({ ts: "1.000003", ...task("working") });
  const broken = stream({ type: "message", message: placeholder }, { type: "message", message: gone });
  const final = answer({ text: "four", ...task("done") });
  const client = brokenClient([broken, new UnreachableError("down"), stream()], [question, final]);
  const shown: string[] = [];
  const outcome = await ask(client, post, { ...options, show: ({ text }) => shown.push(text) });
  expect(outcome).toEqual({ state: "done", question, answers: [final] });
  expect(shown).toEqual(["!", "!", "four"]);
});

it("sees an answer that came before the request that posted the question returned", async () => {
  const client = brokenClient([stream({ type: "message", message: answer() })], []);
  expect(await ask(client, post, options)).toMatchObject({ state: "done" });
});

it("forgets a placeholder that was deleted, and gives up at the deadline", async () => {
  const placeholder = answer(task("working"));
  const events = stream(
    { type: "message", message: placeholder },
    { type: "message_deleted", channel: "D1", ts: placeholder.ts },
  );
  const outcome = await ask(brokenClient([events], [question]), post, { ...options, timeoutMs: 700 });
  expect(outcome).toEqual({ state: "timed_out", question, answers: [] });
});

it("counts later messages of the app in the thread, or to the requester only, as answers", () => {
  const all = [
    answer({ ts: "0.9" }),
    answer({ thread_ts: "0.5" }),
    answer({ channel: "D2" }),
    answer({ ephemeral_for: "U2" }),
    { ...question, ts: "1.000005", thread_ts: "1.000001" },
  ];
  expect(answersTo(question, all)).toEqual([]);
  const messages = [
    answer({ ts: "1.000004" }),
    answer(),
    { ...answer({ ts: "1.000003", ephemeral_for: "U1" }), thread_ts: "9.9" },
  ];
  expect(answersTo(question, messages).map(({ ts }) => ts)).toEqual(["1.000002", "1.000003", "1.000004"]);
});

it("takes what only its author sees for the answer to a command, unless it is Slack's own word", () => {
  const command = { ...question, text: "/agents" };
  const said = answer({ ephemeral_for: "U1" });
  expect(answerState(command, [])).toBe("waiting");
  expect(answerState(command, [said])).toBe("done");
  expect(answerState(command, [{ ...said, user: "USLACKBOT" }])).toBe("failed");
  expect(answerState(question, [said])).toBe("failed");
});

it.each([
  ["waiting", [{ state: "in_progress" }]],
  ["done", [{ state: "completed" }]],
  ["failed", [{ state: "stopped" }]],
  ["waiting", [{ state: "expired" }]],
  ["waiting", [{ state: "completed", continues: true }]],
  ["done", [{ state: "expired" }, { state: "completed" }]],
  ["done", [{ state: "completed", continues: true }, { state: "completed" }]],
] as const)("is %s after streams that are %j", (state, streams) => {
  const answers = streams.map((one) => answer({ stream: { display: "timeline", ...one } }));
  expect(answerState(question, answers)).toBe(state);
});

it.each<[string, Pick<Message, "metadata">[]]>([
  ["waiting", []],
  ["waiting", [task("working")]],
  ["waiting", [task("done", { part: 1, parts: 2 })]],
  ["waiting", [task("done", { part: 1, parts: 2 }), task("done", { part: 1, parts: 2 })]],
  ["done", [task("done", { part: 1, parts: 2 }), task("done", { part: 2, parts: 2 })]],
  ["waiting", [task("done", { request_id: "a" }), task("done", { request_id: "b", part: 2, parts: 2 })]],
  ["failed", [task("done"), task("failed")]],
  ["done", [{}]],
])("is %s for %j", (state, marks) => {
  expect(
    answerState(
      question,
      marks.map((mark) => answer(mark)),
    ),
  ).toBe(state);
});
