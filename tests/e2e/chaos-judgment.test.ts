import { hash } from "node:crypto";
import type { Message } from "@crosszone/dev-slack";
import { describe, expect, test } from "vitest";
import { recite } from "../chaos/stand-ins/with-recitals.ts";
import { judgeThread } from "../chaos/judge/judge-messages.ts";
import type { PlannedKind } from "../chaos/plan/message-plan.ts";
import { questionOf } from "../chaos/plan/question.ts";
import type { Asked } from "../chaos/run/people.ts";

const ask = (number: number, kind: PlannedKind = "quick"): Asked => ({
  planned: {
    number,
    kind,
    at: 0,
    person: 0,
    place: { channel: 0 },
    delivery: { copies: 1, delayMs: 0, dropFirst: false },
  },
  message: { channel: "C1", ts: `${number}.0`, user: "U1", text: "" },
  question: questionOf(number, kind),
});

let clock = 100;
const say = (text: string, payload: Record<string, unknown> = {}, more: Partial<Message> = {}): Message => ({
  channel: "C1",
  ts: `${clock++}.0`,
  thread_ts: "0.0",
  user: "UBOT",
  bot_id: "BBOT",
  text,
  metadata: { event_type: "task", event_payload: { request_id: "r1-a", state: "done", ...payload } },
  ...more,
});
const attach = (requestId: string): Message => {
  const file = {
    id: "F1",
    name: `answer-${requestId}-a.md`,
    mimetype: "text/markdown",
    size: 1,
    url_private_download: "",
  };
  const { metadata: _none, ...message } = say("", {}, { files: [file] });
  return message;
};
const verdicts = (asked: Asked[], said: Message[], content = ""): string[] =>
  judgeThread(asked, said, () => content).map(({ verdict }) => verdict);

const right = "`12345 * 6789` = **83,810,205**";
const verse = recite("verse-3", 24_003);
const halves = [verse.slice(0, 12_000), verse.slice(12_000)] as const;
const partOf = (part: number): Message => say(halves[part - 1] ?? "", { part, parts: 2 });
const beginning = `${recite("verse-4", 60_004).slice(0, 9_000)}\n\n_This is only the beginning: the whole answer is in the file below._`;

describe("chaos judges the app's answers in a thread", () => {
  test.each<[string, string, Message[]]>([
    ["one right answer", "answered", [say(right)]],
    ["nothing", "lost", []],
    ["the right answer to another question", "wrong", [say("`12346 * 6789` = **83,816,994**")]],
    ["the right answer with more around it", "wrong", [say(`${right} and more`)]],
    ["a failure with a right text", "wrong", [say(right, { state: "failed" })]],
    ["a placeholder", "stuck", [say("Working on it…", { state: "working" })]],
    [
      "a placeholder that was left next to the answer",
      "stuck",
      [say("Working on it…", { state: "working" }), say(right)],
    ],
    ["the same message twice", "doubled", [say(right), say(right)]],
    ["the answers of two requests", "doubled", [say(right), say(right, { request_id: "r2" })]],
    ["an answer, and words of another request", "wrong", [say(right), say("Something broke.", { request_id: "r2" })]],
    [
      "an answer, and words without a mark",
      "wrong",
      [say(right), { ...say("hm"), metadata: { event_type: "", event_payload: {} } }],
    ],
    ["an answer with a file that it should not have", "wrong", [say(right), attach("r1")]],
  ])("%s is %s", (_what, verdict, said) => {
    expect(verdicts([ask(0)], said)).toEqual([verdict]);
  });

  test("several parts in any order are one answer; a missing or duplicate part is wrong", () => {
    expect(verdicts([ask(3, "parts")], [partOf(2), partOf(1)])).toEqual(["answered"]);
    expect(verdicts([ask(3, "parts")], [partOf(1)])).toEqual(["truncated"]);
    expect(verdicts([ask(3, "parts")], [partOf(1), partOf(2), partOf(2)])).toEqual(["doubled"]);
  });

  test("a streamed answer is complete, and its stream has ended", () => {
    const grown = recite("verse-1", 4_001);
    const stream = { display: "timeline" } as const;
    const of = (text: string, state: "completed" | "in_progress"): Message =>
      say(text, {}, { stream: { ...stream, state } });
    expect(verdicts([ask(1, "streamed")], [of(grown, "completed")])).toEqual(["answered"]);
    expect(verdicts([ask(1, "streamed")], [of(grown, "in_progress")])).toEqual(["stuck"]);
    expect(verdicts([ask(1, "streamed")], [of(grown.slice(0, -1), "completed")])).toEqual(["truncated"]);
    expect(verdicts([ask(1, "streamed")], [of(grown + grown, "completed")])).toEqual(["wrong"]);
  });

  test("a file belongs to its answer, once and complete", () => {
    const whole = recite("verse-4", 60_004);
    expect(verdicts([ask(4, "file")], [say(beginning), attach("r1")], whole)).toEqual(["answered"]);
    expect(verdicts([ask(4, "file")], [say(beginning), attach("r1"), attach("r1")], whole)).toEqual(["doubled"]);
    expect(verdicts([ask(4, "file")], [say(beginning)], whole)).toEqual(["wrong"]);
    expect(verdicts([ask(4, "file")], [say(beginning), attach("r1")], whole.slice(1))).toEqual(["wrong"]);
  });

  test("in a thread each question gets its own answer; an answer that fits none counts against a question without one", () => {
    const questions = [ask(0), ask(1), ask(2)];
    const other = say("`12346 * 6789` = **83,816,994**", { request_id: "r2" });
    expect(verdicts(questions, [other, say(right)])).toEqual(["answered", "answered", "lost"]);
    expect(verdicts(questions, [other, say(right), say("?", { request_id: "r3" })])).toEqual([
      "answered",
      "answered",
      "wrong",
    ]);
  });

  test("the answers of agents, of runs and to files are known exactly; a run's steps may stay above its answer", () => {
    const agents = "**newer**\n\n(pebble-0)";
    expect(verdicts([ask(0, "agent")], [say(agents)])).toEqual(["answered"]);
    expect(verdicts([ask(0, "agent")], [say("(pebble-0)")])).toEqual(["wrong"]);
    expect(verdicts([ask(0, "agent")], [say(agents), say(agents)])).toEqual(["doubled"]);
    const run = "([([(pebble-0)])])";
    expect(verdicts([ask(0, "run")], [say(run)])).toEqual(["answered"]);
    expect(verdicts([ask(0, "run")], [say(`✓ a · ✓ b · ✓ c · ✓ d · ✓ e\n\n${run}`)])).toEqual(["answered"]);
    expect(verdicts([ask(0, "run")], [say(`${run}${run}`)])).toEqual(["wrong"]);
    const digest = `stone-0: ${hash("sha256", questionOf(0, "attached").attached ?? "")}`;
    expect(verdicts([ask(0, "attached")], [say(digest)])).toEqual(["answered"]);
    expect(verdicts([ask(0, "attached")], [say(`stone-0: ${hash("sha256", "")}`)])).toEqual(["wrong"]);
  });

  test("a slow answer may take any time, and repeats the question", () => {
    const slow = (said: string): string =>
      `Done: I worked on this for **1.3 seconds**. You asked for 1.2.\n\nYou said: \`${said}\``;
    expect(verdicts([ask(2, "slow")], [say(slow("snail-2"))])).toEqual(["answered"]);
    expect(verdicts([ask(2, "slow")], [say(slow("snail-3"))])).toEqual(["wrong"]);
  });
});
