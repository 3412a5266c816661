// suite: rest
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { PlanFault } from "../mapping/scope.ts";
import { scopeOf } from "../testing/workflow-of.ts";
import { answerConditions, conditionAnswer, type ConditionAnswers } from "./answer-conditions.ts";
import { createExpressions } from "./condition.ts";

const asked = (expression: string, input: unknown) => createExpressions().condition(expression, scopeOf({ input }));
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
/** Compares each item with each other one. */
const pairs = "workflow.input.exists(a, workflow.input.exists(b, a + b == -1))";

describe("I8: a condition that reads or creates too much ends its run, and stands in the way of other work for 50 ms at most", () => {
  const texts = (...lengths: number[]) => lengths.map((length) => "a".repeat(length));
  const rows = numbers(200_000).map((id) => ({ id, name: `row ${id}`, tags: [id] }));
  const [few, some, many] = [rows.slice(0, 500), numbers(5_000), numbers(100_000)];
  const members = Object.fromEntries(many.entries());

  // `i` is the input.
  test.each<[string, string, unknown]>([
    ["pairs of items", "i.exists(a, i.exists(b, a + b == -1))", many],
    ["items that fail", "i.exists(a, i.exists(b, 1 / 0 == a))", many],
    ["pairs that are all alike", "i.all(a, i.all(b, a == a))", many],
    ["what an error would hide", "i.map(a, i + i).size() == 1 || true", many],
    ["a long list", "i.map(a, a.name + a.name).size() == 1", rows],
    ["objects that are compared", "i.all(a, i == i.map(b, b))", few],
    ["lists that are compared", "cel.bind(l, i.map(a, a), l.all(a, l == i.map(b, b)))", some],
    ["items in lists", "i.all(a, a in i)", some],
    ["items within items", "i.map(a, i.map(b, a)).size() == 1", some],
    ["lists of lists", "i.map(a, i + i).size() == 1", some],
    [
      "one list added up",
      `size(${numbers(100)
        .map(() => "i")
        .join(" + ")}) == 1`,
      some,
    ],
    ["literal lists", 'i.map(a, [[a, a], [a, a], {"a": [a]}, [a, a], [a, a]]).size() == 1', many],
    ["names of members", "i.all(a, i.all(b, b in i))", members],
    ["searches", "i[1].split('').all(a, !i[0].contains(i[1] + 'b'))", texts(1e6, 90)],
    ["searches from the end", "i[0].lastIndexOf('b' + i[1]) == 1", texts(600_000, 120)],
    ["texts", "i[1].split('').all(a, i[0].lowerAscii().size() > 1)", texts(100_000, 5_000)],
    ["texts that are added", "i[1].split('').map(a, i[0] + i[0]).size() == 1", texts(120_000, 60_000)],
    ["characters of a text", "i[1].split('').map(a, i[0].split('')).size() == 1", texts(120_000, 60_000)],
    ["pieces of texts", "i[0].split('').size() == 1", texts(10_000_000)],
    ["texts that are compared", "i[2].split('').all(a, i[0] == i[1])", texts(1e6, 1e6, 9)],
    ["a text that is joined", "i[1].split('').join(i[0]) == ''", texts(120_000, 60_000)],
    ["durations", "duration(i[0]) < duration('1h')", ["1".repeat(3_000)]],
    ["time zones", "i.all(a, timestamp(int(a)).getHours('Asia/Tokyo') > -1)", some],
    ["JSON", 'bytes("[" + i.map(a, "[]").join(",") + "]").json().size() == 1', many],
  ])("%s", (_name, expression, input) => {
    const evaluate = asked(expression.replaceAll(/\bi\b/g, "workflow.input"), input);
    const took = numbers(5).map(() => {
      const before = process.threadCpuUsage();
      expect(conditionAnswer(evaluate)).toBeInstanceOf(PlanFault);
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / 1_000;
    });
    expect(Math.min(...took)).toBeLessThan(50);
    expect(conditionAnswer(asked("workflow.input == 1", 1))).toBe(true);
  });
});

test("I8: conditions that were asked for together blocked the zone until all had answers", async () => {
  let turns = 0;
  const watch = { isOver: false };
  const answers: ConditionAnswers = new Map();
  const all = numbers(300).map((at) => answerConditions(new Map([[`${at}`, asked(pairs, numbers(50))]]), answers, 0));
  void Promise.all(all).finally(() => (watch.isOver = true));
  for (; !watch.isOver; turns += 1) await nextTurn();
  expect([...new Set(answers.values())]).toEqual([false]);
  expect(turns).toBeGreaterThan(290);
});

test("a run with many conditions delayed the one condition of another run until all of them had answers", async () => {
  const order: string[] = [];
  const answersOf = async (name: string, count: number): Promise<void> => {
    const asks = numbers(count).map((at) => [`${name} ${at}`, asked(pairs, numbers(100))] as const);
    await answerConditions(new Map(asks), new Map(), 0);
    order.push(name);
  };
  await Promise.all([answersOf("many", 20), answersOf("one", 1)]);
  expect(order).toEqual(["one", "many"]);
});

test("conditions of one event that take longer than eight seconds together end their run", async () => {
  const answers: ConditionAnswers = new Map();
  await answerConditions(new Map([["a", asked("true", null)]]), answers, 8_001);
  expect(answers.get("a")).toEqual(new PlanFault("Conditions took longer than 8000 ms together. Simplify them."));
});

test("a condition reads little of a large input in few steps", () => {
  const large = { text: "a".repeat(10_000_001), rows: numbers(1_000_000).map((id) => ({ id })) };
  const expression =
    "workflow.input.rows[999999].id == 999999 && workflow.input.text != null && has(workflow.input.rows)";
  expect(conditionAnswer(asked(`${expression} && size(workflow.input.rows) == 1000000`, large))).toBe(true);
});

test("a condition over ten thousand rows has an answer", () => {
  const rows = numbers(10_000).map((id) => ({ id, state: "open", amount: id / 2 }));
  expect(conditionAnswer(asked("workflow.input.exists(r, r.state == 'late' && r.amount > 100)", rows))).toBe(false);
  expect(conditionAnswer(asked("workflow.input.filter(r, r.amount > 100).size() == 9799", rows))).toBe(true);
});
