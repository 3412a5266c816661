import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { scopeOf } from "../testing/workflow-of.ts";
import type { ConditionAnswer } from "./condition-values.ts";
import { answerConditions, evaluateOnThread } from "./evaluate-on-thread.ts";
import { createExpressions } from "./expressions.ts";

const asked = (expression: string, input: unknown) => createExpressions().condition(expression, scopeOf({ input }));
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
/** Compares each item with each other one. */
const pairs = "workflow.input.exists(a, workflow.input.exists(b, a + b == -1))";

test("I8: a condition blocked the zone while it was evaluated", async () => {
  await evaluateOnThread(asked("true", null));
  let turns = 0;
  const over = new AbortController();
  const answer = evaluateOnThread(asked(pairs, numbers(700))).finally(() => over.abort());
  while (!over.signal.aborted) {
    turns += 1;
    await nextTurn();
  }
  expect(await answer).toEqual({ isTrue: false });
  expect(turns).toBeGreaterThan(100);
});

test("a run with many conditions delayed the one condition of another run until all of them had answers", async () => {
  const order: string[] = [];
  const answersOf = async (name: string, count: number): Promise<void> => {
    const asks = numbers(count).map((at) => [`${name} ${at}`, asked(pairs, numbers(200))] as const);
    await answerConditions(new Map(asks), new Map(), 0);
    order.push(name);
  };
  await Promise.all([answersOf("many", 20), answersOf("one", 1)]);
  expect(order).toEqual(["one", "many"]);
});

test("conditions of one event that take longer than eight seconds together end their run", async () => {
  const answers = new Map<string, ConditionAnswer>();
  await answerConditions(new Map([["a", asked("true", null)]]), answers, 8_001);
  expect(answers.get("a")).toEqual({ exhausted: expect.stringContaining("8000 ms together") });
});

test("I8: a thread that used up its memory is replaced, and keeps no value of the one before", async () => {
  const items = numbers(40_000);
  const hungry = asked("workflow.input.map(a, workflow.input + workflow.input).size() == 1", items);
  expect(await evaluateOnThread(hungry)).not.toEqual({ isTrue: true });
  const size = asked("size(workflow.input) == 40000", items);
  expect(await Promise.all([evaluateOnThread(size), evaluateOnThread(size)])).toEqual([
    { isTrue: true },
    { isTrue: true },
  ]);
});

test("an oversized input is rejected only when a condition reads it", async () => {
  const large = scopeOf({ input: "a".repeat(10_000_001), variables: { index: 1 } });
  const answerTo = (expression: string) => evaluateOnThread(createExpressions().condition(expression, large));
  expect(await answerTo("size(workflow.input) == 1")).toEqual({ fault: expect.stringContaining("creates more than") });
  expect(await answerTo("index == 1")).toEqual({ isTrue: true });
});

test("a value that many conditions read is sent once, and is kept only during their evaluation", async () => {
  let reads = 0;
  const input = Object.defineProperty({}, "n", { enumerable: true, get: () => (reads += 1) });
  const answersTo = (...indexes: readonly number[]) => {
    const { condition } = createExpressions();
    const scopes = indexes.map((index) => scopeOf({ input, variables: { index: -index } }));
    return Promise.all(scopes.map((scope) => evaluateOnThread(condition("workflow.input.n > index", scope))));
  };
  expect(await answersTo(0)).toEqual([{ isTrue: true }]);
  const once = reads;
  expect(await answersTo(1, 2, 3)).toEqual([{ isTrue: true }, { isTrue: true }, { isTrue: true }]);
  expect(reads).toBe(2 * once);
});
