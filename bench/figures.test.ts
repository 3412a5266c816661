import { readWorkflow } from "@crosszone/workflow";
import { expect, test } from "vitest";
import { agentsAt } from "./agents/agents.ts";
import { renderBridge } from "./bridge/benchmark.ts";
import type { Sample } from "./bridge/measure.ts";
import { pairedRatio } from "./kit/statistics.ts";
import { judgeAnswers } from "./load/tally.ts";
import { definitions } from "./workflow/chains.ts";

test("peers are compared within a round; one round in which the machine was slow does not decide", () => {
  const rounds = (figures: readonly number[]) => figures.map((figure, round) => ({ round, figure }));
  const ratio = (ones: readonly number[], others: readonly number[]): number | undefined =>
    pairedRatio([rounds(ones), rounds(others)], ({ figure }) => figure);
  expect(ratio([8_000, 80, 1_000], [10_000, 100, 10_000])).toBe(0.8);
  expect(ratio([8_000], [])).toBeUndefined();
});

const sample = (load: Sample["load"], tasksPerSecond: number, round: number): Sample => ({
  peer: "bridge",
  bus: "sqlite",
  load,
  round,
  tasks: 1_000,
  tasksPerSecond,
  p50Ms: 50,
  p99Ms: 100,
  cpuUs: 200,
});

test("N2: the page shows how many times as many tasks go over JSON-RPC, by the ratio within a round", () => {
  const samples = [1, 0.1, 1].flatMap((speed, round) => [
    sample("at once", 950 * speed, round),
    sample("simple", 1_000 * speed, round),
  ]);
  const page = renderBridge(samples);
  expect(page).toMatch(/\| SQLite +\| +950 \| +1000 \| +0\.95 \|/);
  // What was not measured has no rows.
  expect(page).not.toMatch(/PostgreSQL:|Kafka, jobs/);
});

test("B3: the page shows the fast agents' p99 without and with slow ones", () => {
  const samples = [sample("fast", 400, 0), { ...sample("fast and slow", 380, 0), p99Ms: 125 }];
  expect(renderBridge(samples)).toMatch(/\| SQLite: \*\*the bridge\*\*.*\| +400 \| +100\.0 \| +380 \| +125\.0 \|/);
});

test("the benchmark's workflows are valid, and their agents exist", () => {
  const agents = agentsAt("http://127.0.0.1:1").map(({ name }) => name);
  expect(definitions().flatMap((definition) => readWorkflow(definition, { agents }).problems)).toEqual([]);
});

test("a load run finds unanswered, repeated and wrong answers", () => {
  const right = { messages: 1, right: true, answeredAt: 1_250 };
  const outcomes = [
    right,
    { messages: 0, right: false, answeredAt: undefined },
    { messages: 2, right: true, answeredAt: 1_400 },
    { messages: 1, right: false, answeredAt: 1_900 },
  ];
  const figures = judgeAnswers(outcomes, [1_000, 1_000, 1_000, 1_000]);
  expect(figures).toMatchObject({ mentions: 4, right: 1, unanswered: 1, moreThanOnce: 1, wrong: 1 });
  expect(Math.round(figures.latency.max)).toBe(900);
});
