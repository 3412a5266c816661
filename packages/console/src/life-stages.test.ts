import type { AskedInput, MessageLife, MessageRecord, TaskLife } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { lifeStages } from "./browser/find/life-stages.ts";
import { messageLooks } from "./browser/find/message-words.ts";

const start = Date.parse("2026-05-01T03:00:00.000Z");
const after = (ms: number): string => new Date(start + ms).toISOString();

const message = (more: Partial<MessageRecord>): MessageRecord => ({
  reference: "r1",
  revision: 1,
  state: "answered",
  team_id: "T1",
  channel: "C1",
  ts: String((start - 500) / 1_000),
  thread_ts: "1.0",
  user_id: "U1",
  attempts: 1,
  received_at: after(0),
  judged_at: after(10),
  ...more,
});

const life = (more: Partial<TaskLife["task"]> = {}, parts: Partial<TaskLife> = {}): TaskLife => ({
  task: {
    task_id: "t1",
    state: "success",
    caller: "verification",
    agent: "assistant",
    correlation_id: "r1",
    attempts: 1,
    created_at: after(20),
    deadline: after(60_000),
    ended_at: after(900),
    ...more,
  },
  model_calls: [],
  input_requests: [],
  steps: [],
  ...parts,
});

/** Returns each stage as its name, its start and end in milliseconds after the message, and its text. */
const told = (of: Omit<MessageLife, "reference" | "reported">, names = {}) =>
  lifeStages({ reference: "r1", reported: true, ...of }, names).map(({ end, name, start: began, text }) => [
    name,
    began - start,
    end === undefined ? "open" : end - start,
    text,
  ]);

test("W17: an answered message is told from Slack to its answer, with model calls, attempts and cost", () => {
  const call = { agent: "assistant", model: "a/m", input_tokens: 1_000, output_tokens: 50, cached_input_tokens: 0 };
  const times = (ms: number) => ({ at: after(ms), ended_at: after(ms + 50) });
  const model_calls = [100, 400].map((ms) => ({ ...call, ...times(ms), cost: 0.001, estimated: false }));
  expect(
    told({ message: message({ posted_at: after(950) }), tasks: [life({ attempts: 2 }, { model_calls })] }),
  ).toEqual([
    ["Slack", -500, 0, "Written, received"],
    ["Policy", 0, 10, "Allowed"],
    ["Asked assistant", 20, 900, "Answered · 2 attempts"],
    ["Model a/m", 100, 450, "2 calls · 2,000 tokens in, 100 out · $0.002"],
    ["Posted", 900, 950, "Answer in Slack"],
  ]);
});

test("Q34: a step is told by its title and leads to its agent, and a model call by when it ended", () => {
  const step = { type: "agent", agent_name: "seal er", state: "failed", attempt: 1 } as const;
  const steps = [
    { ...step, path: "seal", title: "Seal it", started_at: after(100), ended_at: after(200) },
    { ...step, path: "each[1].seal", title: "Seal it", started_at: after(300) },
    { ...step, path: "plain", started_at: after(400) },
  ];
  const call = { agent: "a", model: "a/m", input_tokens: 1, output_tokens: 1, cached_input_tokens: 0, cost: null };
  const model_calls = [
    { ...call, at: after(500), ended_at: after(520), estimated: false },
    { ...call, at: after(600), estimated: true },
  ];
  const [, ...parts] = lifeStages({ reference: "r1", reported: true, tasks: [life({}, { steps, model_calls })] }, {});
  expect(parts.map(({ name }) => name)).toEqual(["Seal it", "Seal it (each[1].seal)", "plain", "Model a/m"]);
  const agent = "/console/agents/seal%20er";
  expect(parts.map(({ href }) => href)).toEqual([agent, agent, agent, undefined]);
  expect(
    parts
      .at(-1)
      ?.spans?.flat()
      .map((at = 0) => at - start),
  ).toEqual([500, 520, 600, 600]);
});

test("Q34: calls of a tool are one row with the length of each, and say what became of them", () => {
  const of = { agent: "assistant", server: "wiki" };
  const tool_calls = [
    { ...of, tool: "find", at: after(100), ended_at: after(150), outcome: "succeeded" },
    { ...of, tool: "find", at: after(200), ended_at: after(350), outcome: "failed" },
    { ...of, tool: "find", at: after(400) },
    { ...of, tool: "pay", at: after(500), ended_at: after(700), outcome: "asked" },
  ] as const;
  const rows = (more: Partial<TaskLife["task"]>) => {
    const tasks = [life(more, { tool_calls: [...tool_calls] })];
    const [, ...parts] = lifeStages({ reference: "r1", reported: true, tasks }, {});
    return parts.map(({ name, state, text, spans }) => [
      name,
      state,
      text,
      spans?.map(([from, to]) => to && to - from),
    ]);
  };
  const paid = ["Tool pay of wiki", "succeeded", "1 call · asked people", [200]];
  const found = ["Tool find of wiki", "failed", "3 calls · 1 failed · 1 not ended"];
  expect(rows({})).toEqual([[...found, [50, 150, 0]], paid]);
  expect(rows({ ended_at: undefined })).toEqual([[...found, [50, 150, undefined]], paid]);
});

test("Q34: a thousand calls of a tool are one row, and a list that is cut is told", () => {
  const call = { agent: "assistant", server: "wiki", tool: "find", outcome: "succeeded" } as const;
  const tool_calls = Array.from({ length: 500 }, (_, at) => ({ ...call, at: after(at), ended_at: after(at + 1) }));
  expect(told({ tasks: [life({}, { tool_calls })] })).toEqual([
    ["Asked assistant", 20, 900, "Answered · only the first 500 calls are shown"],
    ["Tool find of wiki", 0, 500, "500 calls"],
  ]);
});

test("X26: the task of another caller who chose the same reference is told as no part of the message", () => {
  const foreign = { ...life({ caller: "token:ci" }), of_another: true };
  const [, , own = [], other = []] = told({ message: message({}), tasks: [life(), foreign] }).toSorted(
    (a, b) => Number(String(a[3]).includes("token:ci")) - Number(String(b[3]).includes("token:ci")),
  );
  expect(own[3]).toBe("Answered");
  expect(other[3]).toBe("No part of this: token:ci chose the same reference · Answered");
});

test("W17: what verification has not reported is missing, and a task that waits names who decides", () => {
  const decide = { people: ["U2", "U3"], groups: ["S9"], requester: false, approve: 1, deny: 1 };
  const times = { created_at: after(100), expires_at: after(60_000) };
  const what = { request_id: "i", kind: "approve", state: "open", agent: "pay" } as const;
  const asked: AskedInput = { ...what, decide, decided_by: [], ...times };
  const open = life({ state: "input_required", ended_at: undefined }, { input_requests: [asked] });
  expect(told({ tasks: [open] }, { U2: "Bob Carter" })).toEqual([
    ["Asked assistant", 20, "open", "Waiting"],
    ["People", 100, "open", "Waits for Bob Carter, U3, members of S9"],
  ]);
});

test.each([
  [{ state: "denied", rule: "no_guests", reason: "guest" }, [["Policy", 0, 10, "Denied · rule no_guests · guest"]]],
  [
    { state: "parked", reason: "execution is away", attempts: 5, ended_at: after(700) },
    [
      ["Policy", 0, 10, "Allowed"],
      ["Parked", 10, 700, "execution is away · an operator can replay or discard it · 5 attempts"],
    ],
  ],
  [
    { state: "withdrawn", ended_at: after(5) },
    [
      ["Policy", 0, 10, "Allowed"],
      ["Withdrawn", 5, 5, "its author deleted it"],
    ],
  ],
  [
    { state: "discarded", reason: "internal", ended_at: after(5) },
    [
      ["Policy", 0, 10, "Allowed"],
      ["Discarded", 5, 5, "internal · an operator discarded it"],
    ],
  ],
] as const)("a message without a task says how it ended: %o", (more, stages) => {
  expect(told({ message: message(more), tasks: [] }).slice(1)).toEqual(stages);
});

test("Q21: an answer that is an error is told as one, and a word that decides nothing in neutral words", () => {
  const failed = { state: "answered", posted_at: after(9), ended_at: after(9), reason: "Unknown agent" } as const;
  expect(told({ message: message(failed), standing: "failed", tasks: [] }).at(-1)).toEqual([
    "Posted",
    9,
    9,
    "Answer in Slack · Failed · Unknown agent",
  ]);
  const yes = { state: "rejected", reason: "a word or two", ended_at: after(5) } as const;
  expect(told({ message: message(yes), standing: "no_question", tasks: [] }).at(-1)).toEqual([
    "No question",
    5,
    5,
    "a word or two",
  ]);
  expect(Object.entries(messageLooks).filter(([, [, look]]) => look === "succeeded")).toEqual([
    ["answered", ["Answered", "succeeded"]],
  ]);
});
