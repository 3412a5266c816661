import { readWorkflow } from "@crosszone/workflow";
import { expect, test } from "vitest";
import { agentsAt } from "../agents/agents.ts";
import { readOptions } from "../kit/benchmark.ts";
import { workflow } from "./benchmark.ts";
import { definitions, type Pace } from "./chains.ts";
import { summarizePeers } from "./figures.ts";
import { judgeWorkflows } from "./goals.ts";
import type { LoopSample, PeerSample, ScaleSample } from "./measure-peer.ts";
import { fullPlan, peerNames, points, quickPlan, type PeerName } from "./plan.ts";
import { renderWorkflowReport } from "./report.ts";

const figures = { stepsPerSecond: 1_000, cpuUs: 200, p50Ms: 5, p99Ms: 9 };

const sample = (peer: PeerName, members: Partial<PeerSample> = {}): PeerSample => ({
  peer,
  pace: "at once",
  runs: 64,
  round: 0,
  ...figures,
  ...members,
});

const loop = (peer: PeerName, ms: number): LoopSample => ({ peer, round: 0, ms });

const scale = (peer: PeerName, pace: Pace, two: number): ScaleSample[] =>
  ([1, 2] as const).map((executors) => ({
    peer,
    pace,
    executors,
    round: 0,
    ...figures,
    stepsPerSecond: executors === 1 ? 1_000 : two,
  }));

const nothing = { samples: [], loops: [], scaling: [] };

const judged = (found: Partial<Parameters<typeof judgeWorkflows>[0]>): string[] =>
  judgeWorkflows({ ...nothing, ...found }).map(({ goal, met }) => `${met ? "✓" : "✗"} ${goal}`);

test("many runs are compared with hand-written calls on the same engine, not with calls that store nothing", () => {
  const samples = [
    sample("plain", { stepsPerSecond: 30_000 }),
    sample("careful-sqlite"),
    sample("sqlite", { stepsPerSecond: 1_500 }),
    sample("careful-postgres", { stepsPerSecond: 2_000 }),
    sample("kafka", { stepsPerSecond: 999 }),
  ];
  expect(judged({ samples })).toEqual([
    "✓ SQLite: 64 runs, steps ≥ 1.50 of by hand with a row a step, agents that answer at once",
    "✗ Kafka: 64 runs, steps ≥ 0.50 of by hand with a row a step, agents that answer at once",
  ]);
});

test("the overhead of a run is its time without the calls, and is compared with one row per step", () => {
  const alone = (peer: PeerName, p50Ms: number): PeerSample =>
    sample(peer, { pace: "in 20 ms", runs: 1, p50Ms, p99Ms: p50Ms + 10 });
  const samples = [alone("plain", 20), alone("careful-sqlite", 21), alone("sqlite", 24)];
  expect(judged({ samples })).toEqual([
    "✓ SQLite: one run, overhead a step ≤ 4 × by hand with a row a step, agents that answer in 20 ms",
  ]);
  expect(judged({ samples: [...samples.slice(0, 2), alone("sqlite", 25.1)] })[0]).toMatch(/^✗ SQLite: one run/);
  const row = summarizePeers(samples)[0]?.rows.find(({ peer }) => peer === "sqlite");
  expect(row).toMatchObject({ overheadMs: 4, overheadP99Ms: 14, overheadToFair: 4 });
});

test("if one row per step is lost in the noise of the calls, no overhead is a multiple of it", () => {
  const alone = (peer: PeerName, p50Ms: number): PeerSample => sample(peer, { runs: 1, p50Ms });
  const samples = [alone("plain", 20), alone("careful-sqlite", 19.9), alone("sqlite", 24)];
  expect(judged({ samples })).toEqual([]);
  expect(summarizePeers(samples)[0]?.rows.at(-1)).toMatchObject({ overheadMs: 4, overheadToFair: undefined });
});

test("peers are compared within a round; one round in which the machine was slow does not decide", () => {
  const samples = [0, 1, 2].flatMap((round) => {
    const speed = round === 1 ? 0.01 : 1;
    return [
      sample("careful-sqlite", { round, stepsPerSecond: 1_000 * speed }),
      sample("sqlite", { round, stepsPerSecond: (round === 2 ? 100 : 800) * speed }),
    ];
  });
  const [table] = summarizePeers(samples);
  expect(table?.rows.map(({ peer, toFair }) => [peer, toFair])).toEqual([
    ["careful-sqlite", undefined],
    ["sqlite", 0.8],
  ]);
});

test("PostgreSQL is also compared with DBOS: by many runs, and by the overhead of one", () => {
  const samples = [
    sample("dbos", { stepsPerSecond: 400 }),
    sample("postgres"),
    sample("plain", { runs: 1, p50Ms: 1 }),
    sample("dbos", { runs: 1, p50Ms: 2 }),
    sample("postgres", { runs: 1, p50Ms: 2.3 }),
  ];
  expect(judged({ samples })).toEqual([
    "✓ PostgreSQL: 64 runs, steps ≥ 2.50 of DBOS",
    "✗ PostgreSQL: one run, overhead a step ≤ 1.2 × DBOS",
  ]);
});

test("a loop is compared with the same calls by hand", () => {
  const by = (ms: number): string[] => judged({ loops: [loop("careful-sqlite", 1_000), loop("sqlite", ms)] });
  expect(by(2_000)).toEqual(["✓ SQLite: a loop ≥ 0.50 × as fast as by hand with a row a step"]);
  expect(by(2_001)).toEqual(["✗ SQLite: a loop ≥ 0.50 × as fast as by hand with a row a step"]);
});

test("a second process must add throughput when agents are slow; for fast agents, only if the machine has spare cores", () => {
  const waiting = scale("postgres", "in 20 ms", 1_700);
  const atOnce = scale("postgres", "at once", 1_600);
  expect(judged({ scaling: [...waiting, ...atOnce, ...scale("careful-postgres", "at once", 1_699)] })).toEqual([
    "✓ PostgreSQL: 2 processes ≥ 1.7 × 1, agents that answer in 20 ms",
  ]);
  expect(judged({ scaling: [...waiting, ...atOnce, ...scale("careful-postgres", "at once", 1_700)] })).toEqual([
    "✓ PostgreSQL: 2 processes ≥ 1.7 × 1, agents that answer in 20 ms",
    "✗ PostgreSQL: 2 processes ≥ 1.7 × 1, agents that answer at once",
  ]);
});

test("a run of some peers reports only what it measured, and names what it left out", () => {
  const found = {
    ...nothing,
    samples: [sample("sqlite"), sample("sqlite", { runs: 1 })],
    skipped: ["kafka"] as const,
  };
  const machine = { node: "v26", cpu: "cpu", cores: 2, pinned: true, loadBefore: 0 };
  const page = renderWorkflowReport({ machine, plan: fullPlan, figures: found, goals: judgeWorkflows(found) });
  expect(page).toMatch(/\| \*\*Crosszone, SQLite\*\* \| +1000 \| +\|/);
  expect(page).toContain("Left out, since this machine has no Java 17: **Crosszone, Kafka");
  expect(page).not.toMatch(/NaN|undefined|## Goals of ours|## One process|## A loop/);
});

test("a whole run is reported with all its tables", () => {
  const found = {
    samples: peerNames.flatMap((peer) =>
      points.map((point) => sample(peer, { ...point, p50Ms: peer === "plain" ? 1 : 3 })),
    ),
    loops: peerNames.map((peer) => loop(peer, 500)),
    scaling: peerNames.flatMap((peer) => [...scale(peer, "in 20 ms", 2_000), ...scale(peer, "at once", 1_000)]),
    skipped: [],
  };
  const machine = { node: "v26", cpu: "cpu", cores: 2, pinned: true, loadBefore: 0 };
  const page = renderWorkflowReport({ machine, plan: quickPlan, figures: found, goals: judgeWorkflows(found) });
  expect(page.match(/^## .*/gm)).toEqual([
    "## Goals of ours",
    "## 64 runs at once, agents that answer at once",
    "## 64 runs at once, agents that answer in 20 ms",
    "## One run at a time, agents that answer at once",
    "## One run at a time, agents that answer in 20 ms",
    "## One process and two",
    "## A loop of 1000 items",
  ]);
  expect(page).not.toMatch(/NaN|undefined|Left out|busy/);
  const busy = { ...machine, loadBefore: 2.1 };
  expect(renderWorkflowReport({ machine: busy, plan: quickPlan, figures: found, goals: [] })).toContain("was busy");
});

test("the benchmark's workflows are valid, and their agents exist", () => {
  const agents = agentsAt("http://127.0.0.1:1").map(({ name }) => name);
  const problems = definitions().flatMap((definition) => readWorkflow(definition, { agents }).problems);
  expect(problems).toEqual([]);
});

test("the command line of bench:workflow", () => {
  expect(readOptions(workflow, ["--help"])).toBeUndefined();
  expect(readOptions(workflow, [])).toMatchObject({ plan: fullPlan, peers: peerNames, write: false, json: false });
  expect(readOptions(workflow, ["--quick", "--only", "sqlite", "--only", "plain", "--write"])).toMatchObject({
    plan: quickPlan,
    peers: ["plain", "sqlite"],
    write: true,
  });
  expect(() => readOptions(workflow, ["--only", "redis"])).toThrow("--only redis: there is only plain, careful-sqlite");
  expect(() => readOptions(workflow, ["--fast"])).toThrow(TypeError);
});
