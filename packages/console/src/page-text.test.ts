import type { InputRequest } from "@crosszone/contracts";
import { decidersSentence, decidersText, shortId } from "@crosszone/service-kit/text";
import { expect, test, vi, afterEach } from "vitest";
import { createApi } from "./browser/api.ts";
import {
  instancesOf,
  selectionOf,
  shownRun,
  type ShownRun,
  stepTitle,
  timelineRows,
  withEvent,
} from "./browser/run/shown-run.ts";
import {
  clockText,
  doerText,
  durationText,
  fittingText,
  fromNowText,
  spanText,
  spokenText,
  standingText,
  voteText,
} from "./browser/words.ts";

const start = "2026-05-01T03:00:00.000Z";
const after = (ms: number): string => new Date(Date.parse(start) + ms).toISOString();

test.each([
  [-5, "0 ms"],
  [0, "0 ms"],
  [999, "999 ms"],
  [1_000, "1.0 s"],
  [59_999, "59.9 s"],
  [60_000, "1 min"],
  [61_500, "1 min 1 s"],
  [3_600_000, "1 h"],
  [7_380_000, "2 h 3 min"],
  [90_000_000, "1 d 1 h"],
])("%i milliseconds are %s", (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

test("running time is in whole seconds, ended time is exact, and pending steps show none", () => {
  expect(clockText(59_900)).toBe("59 s");
  expect(spanText({ started_at: start }, Date.parse(after(2_900)))).toBe("2 s");
  expect(spanText({ started_at: start, ended_at: after(2_900) }, 0)).toBe("2.9 s");
  expect(spanText({}, 0)).toBeUndefined();
  expect(fromNowText(after(-61_000), Date.parse(start))).toBe("1 min 1 s ago");
  expect(fromNowText(after(5_000), Date.parse(start))).toBe("in 5 s");
  expect(fromNowText(start, Date.parse(after(300)))).toBe("now");
});

test.each([
  ["Proofread", 20, "Proofread"],
  ["Proofread the text", 10, "Proofread…"],
  ["two\nlines\tand  more", 40, "two lines and more"],
  ["掲示板に投稿する", 8, "掲示板…"],
  ["掲示板", 7, "掲示板"],
  ["👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 5, "👩‍👩‍👧‍👦👩‍👩‍👧‍👦…"],
])("a title fits its card: %j in %i letters is %j", (title, letters, fitting) => {
  expect(fittingText(title, letters)).toBe(fitting);
});

test("a step's agent and progress are readable and announced", () => {
  const step = { id: "each", title: "Each text", type: "loop", state: "running", done: 2, total: 5 } as const;
  expect([doerText(step), standingText(step)]).toEqual(["Loop", "2/5"]);
  expect(spokenText(step)).toBe("Each text, Loop, Running, 2 of 5 done");
  expect(standingText({ id: "a", title: "A", type: "agent", state: "skipped" })).toBe("Skipped");
  const approval = { id: "ok", title: "Approve", type: "human" } as const;
  expect(spokenText({ ...approval, state: "running" })).toBe("Approve, People, Waiting for people");
  expect(standingText({ ...approval, state: "succeeded" })).toBe("Succeeded");
  expect(selectionOf("each[3].slips")).toEqual({ stepId: "slips", path: "each[3].slips" });
});

test("a step is named by its title, within a loop also by its path; without a title by its path", () => {
  const step = { type: "agent", agent_name: "Asker", input_mapping: {} } as const;
  const steps = { slips: { ...step, id: "slips", title: "Find slips" }, seal: { ...step, id: "seal" } };
  expect(["slips", "each[3].slips", "each[3].seal", "gone"].map((path) => stepTitle(steps, path))).toEqual([
    "Find slips",
    "Find slips (each[3].slips)",
    "each[3].seal",
    "gone",
  ]);
});

const shown: ShownRun = shownRun(
  {
    run_id: "r1",
    workflow_id: "w",
    version: "1",
    name: "W",
    state: "running",
    revision: 3,
    correlation_id: "c1",
    created_at: start,
    started_at: start,
    definition: { workflow_id: "w", name: "W", version: "1", start_step: "each", steps: {} },
    steps: [10, 9].map((index) => ({
      path: `each[${String(index)}].slips`,
      step_id: "slips",
      type: "agent" as const,
      state: "succeeded" as const,
      attempt: 1,
      started_at: after(1_000),
      ended_at: after(index * 200),
    })),
  },
  {
    run_id: "r1",
    revision: 3,
    state: "running",
    nodes: [
      { id: "each", title: "Each", type: "loop", state: "running", done: 1, total: 3 },
      { id: "slips", title: "Slips", type: "agent", state: "running", parent: "each" },
    ],
    edges: [],
  },
);

test("events that arrive during a request are not reverted by its response, which decides the rest", () => {
  const [slips] = instancesOf(shown, "slips");
  if (!slips) throw new Error("no instance to change");
  const { revision, run_id } = shown.run;
  const step = { ...slips, state: "succeeded" as const, output: "told meanwhile" };
  const change = { type: "step" as const, run_id, revision: revision + 1, at: start, step };
  const told = withEvent(shown, change);
  expect(instancesOf(shownRun(shown.run, shown.graph, told), "slips")[0]).toEqual(step);
  const later = { ...shown.run, revision: revision + 1 };
  expect(instancesOf(shownRun(later, shown.graph, told), "slips")[0]).toEqual(slips);
});

test("the timeline has one row per step and one bar per instance, in percent of the elapsed time", () => {
  const [each, slips] = timelineRows(shown, Date.parse(after(4_000)));
  expect(each).toMatchObject({ stepId: "each", depth: 0, bars: [], took: "" });
  expect(slips).toMatchObject({ depth: 1, took: "1.0 s", spoken: "Slips, 1.0 s, Running" });
  expect(slips?.bars).toEqual([
    { path: "each[10].slips", state: "succeeded", left: 25, width: 25 },
    { path: "each[9].slips", state: "succeeded", left: 25, width: 20 },
  ]);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a rate-limited page sends nothing before the time that the zone names, and then continues", async () => {
  vi.useFakeTimers();
  const tooMany = new Response("{}", { status: 429, headers: { "retry-after": "2" } });
  const answers = [tooMany, ...Array.from({ length: 2 }, () => Response.json({ runs: [] }))];
  const fetched = vi.fn<() => Promise<Response>>(async () => answers.shift() as Response);
  vi.stubGlobal("fetch", fetched);
  const api = createApi("token");
  await expect(api.call("listRuns", {})).rejects.toMatchObject({ status: 429 });
  const later = Promise.all([api.call("listRuns", {}), api.call("listRuns", {})]);
  await vi.advanceTimersByTimeAsync(1_999);
  expect(fetched).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await later).toEqual([{ runs: [] }, { runs: [] }]);
});

test("an input request names everyone who can decide, those after a reminder too", () => {
  const decide = { people: ["U1"], groups: ["S1"], requester: true, approve: 2, deny: 1 };
  const request = {
    kind: "approve",
    decide,
    requester: "U9",
    escalate: ["U5"],
  } as Partial<InputRequest> as InputRequest;
  expect(decidersText(request)).toBe("U1, members of S1, the requester U9, U5 after a reminder (2 approvals needed)");
  const reminded: InputRequest = { ...request, kind: "form", reminders: 1 };
  expect(decidersText(reminded)).toBe("U1, members of S1, the requester U9, U5");
});

const bob = { names: { U1: "Bob Carter", S1: "@oncall" } };
test.each<[of: object, more: object, sentence: string]>([
  [{ people: ["U1"] }, bob, "Only Bob Carter can decide this, in Slack."],
  [{ people: ["U1", "U2"], groups: ["S1"] }, bob, "Only Bob Carter, U2 or @oncall can decide this, in Slack."],
  [{ people: ["U2"], approve: 2 }, {}, "Only U2 can decide this, in Slack. 2 approvals are needed."],
  [{ people: ["token:ci"] }, {}, "Only token:ci can decide this, through the API."],
  [{ people: ["U1", "bootstrap"] }, bob, "Only Bob Carter, in Slack, or bootstrap, through the API, can decide this."],
  [{ requester: true }, { ...bob, requester: "U1" }, "Only the requester Bob Carter can decide this, in Slack."],
  // A program can't approve its own call.
  [{ people: ["U2"], requester: true }, { requester: "token:ci" }, "Only U2 can decide this, in Slack."],
])("Q31: who can decide is one sentence: %o", (of, more, sentence) => {
  const decide = { people: [], groups: [], requester: false, approve: 1, deny: 1, ...of };
  expect(decidersSentence({ kind: "approve", decide, ...more })).toBe(sentence);
});

test("Q32: ids that we make are shortened, those that callers chose are not", () => {
  const ids = ["7c9e12ab-1a2b-4c3d-8e4f-000000000001", "ab".repeat(32), `inp_${"3f2a81c4".repeat(4)}`];
  expect(ids.map(shortId)).toEqual(["7c9e12ab", "abababab", "inp_3f2a81c4"]);
  // The first eight digits of a UUID of version 7 are the same for a minute.
  expect(shortId("01a2272e-a86e-73d7-81c1-b5711ac1a16f.send.1")).toBe("01a2272e-a86e.send.1");
  const own = ["run-1", "deadbeef", "deadbeefdead", "1764000000.000100", "order 7c9e12ab"];
  expect(own.map(shortId)).toEqual(own);
});

/** Every character that displays as nothing, as a blank that is no space, or that changes the direction of others. */
const unseen = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter((one) =>
  /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Zl}\p{Zp}\u00A0\u1680\u2000-\u200A\u202F\u205F\u2800\u3000]/u.test(one),
);

test("a title or a reason hides no character", () => {
  const text = `pay${unseen.join("")}900`;
  const step = { id: "ok", type: "agent", agent_name: "a", input_mapping: {}, title: text } as const;
  const vote = { user_id: "U1", verdict: "deny", via: "slack", at: start, reason: text } as const;
  const drawn = [
    fittingText(text, 40),
    stepTitle({ ok: step }, "ok"),
    stepTitle({ ok: step }, "each[1].ok"),
    voteText(vote),
  ];
  for (const words of drawn) {
    expect(words).toMatch(/pay.+900/);
    expect(unseen.filter((one) => words.includes(one))).toEqual([]);
  }
});
