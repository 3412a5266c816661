import { expect, test } from "vitest";
import { readOptions } from "../kit/benchmark.ts";
import { stream } from "./benchmark.ts";
import { a2aDialect, openAiDialect } from "./dialects.ts";
import { growthOf, judgeStreams } from "./goals.ts";
import type { StreamFigures } from "./measure.ts";
import { renderStreamReport } from "./report.ts";
import { orderOf, questionOf, textOf, tokenOf } from "./streams.ts";

const plan = { streams: 200, seconds: 12, everyMs: 20, stalled: 20 };
const cpu = (...[one, two]: [number, number]) => ({
  steady: { execution: one, verification: two },
  whole: { execution: 2 * one, verification: 2 * two },
});
const hops = { "first hop": 20, "second hop": 20 };
const outcome = { done: 200, right: 200, wrong: undefined };
const figures: StreamFigures = {
  cpu: { relay: { steady: hops, whole: hops }, agent: cpu(50, 40), assistant: cpu(100, 40) },
  slack: { agent: outcome, assistant: { ...outcome, right: 199 } },
  first: { relay: { p50: 1, p99: 2 }, link: { p50: 3, p99: 30 } },
  right: { relay: 200, link: 200 },
  rss: { reading: [100, 100, 100, 100, 100, 100], stalled: [100, 100, 110, 110, 120, 120] },
  standing: 20,
  errors: [],
};

test("each stream of bench:stream has its own text, which its question requests", () => {
  const order = { n: 7, tokens: 600, wide: false };
  expect(orderOf(`@Crosszone ${questionOf(order)}`)).toEqual(order);
  expect(orderOf("hello")).toBeUndefined();
  expect(new Set([1, 2, 3].map((n) => textOf({ ...order, n }))).size).toBe(3);
  expect(textOf(order)).toBe(Array.from({ length: 600 }, (_none, index) => tokenOf(order, index)).join(""));
  expect(textOf(order)).toMatch(/^\S.*[^\p{ASCII}].*\S$/su);
  for (const dialect of [a2aDialect("1"), openAiDialect()])
    expect(dialect.begin + dialect.token(" 🙂", 0) + dialect.end).toMatch(/^(data: \S.*\n\n)+$/);
});

test("the goals of bench:stream", () => {
  expect(growthOf(figures.rss.stalled)).toBe(10);
  expect(judgeStreams(plan, figures).map(({ value, met }) => [value, met])).toEqual([
    [2.25, true],
    [4.5, false],
    [30, false],
    [10, true],
    [20, true],
    [200, true],
    [199, false],
  ]);
});

test("the page of bench:stream names missed goals", () => {
  const machine = { node: "v26.0.0", cpu: "a processor", cores: 2, pinned: false, loadBefore: 0.1 };
  const page = renderStreamReport({ machine, plan, figures, goals: judgeStreams(plan, figures) });
  expect(page).toContain("- first token through the wall ≤ 20 ms at p99: ✗ 30.00");
  expect(page).toMatch(/\*\*an agent\*\*.*2\.25.*4\.50 \|/);
  expect(page).not.toContain("NaN");
});

test("the command line of bench:stream", () => {
  expect(readOptions(stream, ["--help"])).toBeUndefined();
  expect(readOptions(stream, [])).toMatchObject({ plan, write: false, json: false });
  expect(readOptions(stream, ["--quick", "--write"])).toMatchObject({ plan: { streams: 50 }, write: true });
  expect(() => readOptions(stream, ["--fast"])).toThrow(TypeError);
});
