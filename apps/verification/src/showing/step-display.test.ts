import type { TaskProgress } from "@crosszone/contracts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SlackCallError, type SlackCallFailure } from "../slack/slack-call-error.ts";
import { createVirtualClock } from "../testing/working-zone.ts";
import { createEditPace, createStepDisplay, type EditPace, type StepDisplayDeps } from "./step-display.ts";

let clock = createVirtualClock();
beforeEach(() => {
  clock = createVirtualClock();
});
afterEach(() => clock.stop());

const at = (done: number): TaskProgress => ({
  revision: done,
  steps: [{ id: "each", title: "Each", state: "running", depth: 0, done, total: 9 }],
});
const working = (steps: string): string => `Working on it…\n\n${steps}`;
const error = (failure: SlackCallFailure, retryAfterMs?: number): SlackCallError =>
  new SlackCallError("chat.update", { failure, code: failure, retryAfterMs });

/** A display of which each edit does what the next of `answers` says. */
function setUp({
  pace = createEditPace(clock),
  answers = [],
  ...deps
}: { pace?: EditPace; answers?: (() => unknown)[] } & Partial<StepDisplayDeps> = {}) {
  /** What the message said, and when, milliseconds from the first of them. */
  const edits: { readonly text: string; readonly at: number }[] = [];
  const began = clock.now();
  const work = { text: "", people: new Set<string>(), progress: undefined as TaskProgress | undefined };
  const steps = createStepDisplay({
    clock,
    pace,
    work: () => work,
    edit: async (text) => {
      edits.push({ text, at: clock.now() - began });
      await answers.shift()?.();
    },
    until: new AbortController().signal,
    ...deps,
  });
  const change = (changes: Partial<typeof work>): void => {
    Object.assign(work, changes);
    steps.changed();
  };
  const show = (progress: TaskProgress): void => change({ progress });
  return { display: { show, write: (text: string): void => change({ text }), end: () => steps.end() }, edits };
}

const fails = (failure: SlackCallFailure, retryAfterMs?: number) => () => Promise.reject(error(failure, retryAfterMs));

/** Time enough for anything that is to be shown. */
const aWhile = (): Promise<void> => clock.sleep(60_000);
/** Time for one change. */
const aMoment = (): Promise<void> => clock.sleep(100);

test("the first progress is shown at once, then the latest, at most once a second", async () => {
  const { display, edits } = setUp();
  display.show(at(1));
  await aMoment();
  display.show(at(2));
  display.show(at(3));
  await aWhile();
  expect(edits.map(({ text }) => text)).toEqual([working("◐ Each (1/9)"), working("◐ Each (3/9)")]);
  expect((edits[1]?.at ?? 0) - (edits[0]?.at ?? 0)).toBeGreaterThanOrEqual(1_000);
  await display.end();
});

test("progress that looks the same is not shown again; a later change is", async () => {
  const { display, edits } = setUp();
  display.show(at(1));
  await aWhile();
  display.show({ ...at(1), revision: 2 });
  await aWhile();
  expect(edits).toHaveLength(1);
  display.show(at(2));
  await aWhile();
  expect(edits).toHaveLength(2);
});

test("a rate limit pauses all messages of the workspace; then the latest progress is shown", async () => {
  const pace = createEditPace(clock);
  const one = setUp({ pace, answers: [fails("rate_limited", 30_000)] });
  const other = setUp({ pace });
  one.display.show(at(1));
  await aMoment();
  one.display.show(at(2));
  other.display.show(at(1));
  await aWhile();
  expect([one.edits.length, other.edits.length]).toEqual([2, 1]);
  expect(one.edits[1]).toMatchObject({ text: working("◐ Each (2/9)") });
  for (const later of [one.edits[1], other.edits[0]]) expect(later?.at).toBeGreaterThanOrEqual(30_000);
});

test("`end` waits for the edit that is running, and no edit follows", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { display, edits } = setUp({ answers: [() => promise] });
  display.show(at(1));
  await aMoment();
  display.show(at(2));
  let hasEnded = false;
  const ended = display.end().then(() => (hasEnded = true));
  await aWhile();
  expect(hasEnded).toBe(false);
  resolve();
  await ended;
  display.show(at(3));
  await aWhile();
  expect(edits).toHaveLength(1);
});

test("many tasks together stay within Slack's rate limit, and each gets its turns", async () => {
  const pace = createEditPace(clock);
  const shown = Array.from({ length: 10 }, () => setUp({ pace }));
  const began = clock.now();
  for (let second = 0; clock.now() - began < 300_000; second += 1) {
    for (const { display } of shown) display.show(at(second));
    await clock.sleep(1_000);
  }
  await Promise.all(shown.map(({ display }) => display.end()));
  const times = shown.flatMap(({ edits }) => edits.map((edit) => edit.at)).toSorted((a, b) => a - b);
  const perMinute = times.map((from) => times.filter((time) => time >= from && time < from + 60_000).length);
  expect(Math.max(...perMinute)).toBeLessThanOrEqual(40);
  expect(times.length).toBeGreaterThan(140);
  const each = shown.map(({ edits }) => edits.length);
  expect(Math.max(...each) - Math.min(...each)).toBeLessThanOrEqual(1);
});

test("the partial answer is shown below the steps, without its last unfinished word", async () => {
  const { display, edits } = setUp();
  display.show(at(1));
  display.write("The wall keeps Slack and the agents ap");
  await aWhile();
  expect(edits.at(-1)?.text).toBe("◐ Each (1/9)\n\nThe wall keeps Slack and the agents  …");
  await display.end();
});
