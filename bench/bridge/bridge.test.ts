import { expect, test } from "vitest";
import { readOptions } from "../kit/benchmark.ts";
import { bridge } from "./benchmark.ts";
import { summarizeFairness, summarizePeers } from "./figures.ts";
import { judgeBridge } from "./goals.ts";
import type { Backlog, PeerSample } from "./measure-peer.ts";
import type { FairTurn, ProtocolTurn } from "./measure-turns.ts";
import { fullPlan, points, quickPlan, type BusName, type PeerName } from "./plan.ts";
import { renderBridgeReport } from "./report.ts";

const load = { tasks: 1_000, tasksPerSecond: 1_000, p50Ms: 50, p99Ms: 100, cpuUs: 200 };

const sample = (peer: PeerName, tasksPerSecond: number, members: Partial<PeerSample> = {}): PeerSample => ({
  peer,
  bus: "sqlite",
  agents: "at once",
  inFlight: 200,
  round: 0,
  ...load,
  tasksPerSecond,
  ...members,
});

const fair = (which: FairTurn["which"], p99Ms: number, members: Partial<FairTurn> = {}): FairTurn => ({
  peer: "bridge",
  bus: "sqlite",
  which,
  round: 0,
  ...load,
  p99Ms,
  ...members,
});

const inProtocol = (which: ProtocolTurn["which"], tasksPerSecond: number, round: number): ProtocolTurn => ({
  peer: "bridge",
  bus: "sqlite",
  which,
  round,
  ...load,
  tasksPerSecond,
});

const nothing = { samples: [], fairness: [], protocols: [], backlogs: [], translation: [] };

const judged = (figures: Partial<Parameters<typeof judgeBridge>[0]>): string[] =>
  judgeBridge({ ...nothing, ...figures }).map(({ goal, met }) => `${met ? "✓" : "✗"} ${goal}`);

test("the bridge is compared with the loop and with one task at a time, for each bus", () => {
  const of = (bus: BusName, bridgeRate: number): PeerSample[] => [
    sample("loop", 1_000, { bus }),
    sample("bridge", bridgeRate, { bus }),
    sample("loop", 1_000, { bus, agents: "in 20 ms" }),
    sample("bridge", 701, { bus, agents: "in 20 ms" }),
    sample("serial", bus === "sqlite" ? 45 : 71, { bus, agents: "in 20 ms" }),
    // One task under way says how long it takes, and decides nothing.
    sample("loop", 1_000, { bus, inFlight: 1 }),
    sample("bridge", 1, { bus, inFlight: 1 }),
  ];
  expect(judged({ samples: [...of("sqlite", 701), ...of("kafka", 699)] })).toEqual([
    "✓ SQLite ≥ 0.70 of the loop, agents that answer at once",
    "✓ SQLite ≥ 0.70 of the loop, agents that answer in 20 ms",
    "✓ SQLite ≥ 10 × one at a time, agents that answer in 20 ms",
    "✓ Kafka ≥ 0.60 of the loop, agents that answer at once",
    "✓ Kafka ≥ 0.60 of the loop, agents that answer in 20 ms",
    "✗ Kafka ≥ 10 × one at a time, agents that answer in 20 ms",
  ]);
});

test("peers are compared within a round; one round in which the machine was slow does not decide", () => {
  const samples = [0, 1, 2].flatMap((round) => {
    const speed = round === 1 ? 0.01 : 1;
    return [
      sample("loop", 10_000 * speed, { round }),
      sample("bridge", (round === 2 ? 1_000 : 8_000) * speed, { round }),
    ];
  });
  const [table] = summarizePeers(samples);
  expect(table?.rows.map(({ peer, toLoop }) => [peer, toLoop])).toEqual([
    ["loop", 1],
    ["bridge", 0.8],
  ]);
});

test("B3: slow agents may raise the p99 of the others by a quarter; the loop is shown for comparison only", () => {
  const loop = { peer: "loop" } as const;
  const fairness = [
    fair("without", 100),
    fair("with", 130),
    fair("with", 120, { round: 1 }),
    fair("without", 100, { round: 1 }),
    fair("without", 100, loop),
    fair("with", 9_000, loop),
  ];
  expect(summarizeFairness(fairness).map(({ peer, p99Ratio }) => [peer, p99Ratio])).toEqual([
    ["bridge", 1.25],
    ["loop", 90],
  ]);
  const goal = "SQLite: p99 of fast agents with slow ones ≤ 1.25 × without";
  expect(judged({ fairness })).toEqual([`✓ ${goal}`]);
  expect(judged({ fairness: [fair("without", 100), fair("with", 126)] })).toEqual([`✗ ${goal}`]);
});

test("N2: the protocols are compared within a round", () => {
  const turns = (jsonRpc: number): ProtocolTurn[] =>
    [0, 1, 2].flatMap((round) => {
      const speed = round === 1 ? 0.1 : 1;
      return [inProtocol("jsonrpc-2.0", jsonRpc * speed, round), inProtocol("simple-a2a", 1_000 * speed, round)];
    });
  expect(judged({ protocols: turns(951) })).toEqual(["✓ N2, SQLite: jsonrpc-2.0 ≥ 0.95 of simple-a2a"]);
  expect(judged({ protocols: turns(949) })).toEqual(["✗ N2, SQLite: jsonrpc-2.0 ≥ 0.95 of simple-a2a"]);
});

test("N1: the slowest translation decides, and a long queue must not grow the process", () => {
  const cost = (p95Us: number) => ({
    protocol: "simple-a2a",
    bytes: 1_000,
    request: { p50Us: 1, p95Us },
    response: { p50Us: 1, p95Us: 2 * p95Us },
  });
  const backlog = (grownMb: number): Backlog => ({
    bus: "postgres",
    tasks: 100_000,
    rssBefore: 100 * 1_048_576,
    rssWith: (100 + grownMb) * 1_048_576,
    before: load,
    meanwhile: load,
    drainedPerSecond: 1_000,
  });
  expect(judged({ backlogs: [backlog(64)], translation: [cost(10), cost(5_000)] })).toEqual([
    "✓ PostgreSQL: with 100000 tasks that wait the process is ≤ 64 MB larger",
    "✓ N1: a request of any size is made in ≤ 5 ms at p95",
    "✓ N1: an answer of any size is read in ≤ 10 ms at p95",
  ]);
  expect(judged({ backlogs: [backlog(65)], translation: [cost(5_001), cost(10)] })).toEqual([
    "✗ PostgreSQL: with 100000 tasks that wait the process is ≤ 64 MB larger",
    "✗ N1: a request of any size is made in ≤ 5 ms at p95",
    "✗ N1: an answer of any size is read in ≤ 10 ms at p95",
  ]);
});

test("a run on one bus reports only what it measured, and names what it left out", () => {
  const figures = { ...nothing, samples: [sample("loop", 1_000), sample("bridge", 800)], skipped: ["kafka"] as const };
  const machine = { node: "v26", cpu: "cpu", cores: 2, pinned: true, loadBefore: 0 };
  const page = renderBridgeReport({ machine, plan: fullPlan, figures, goals: judgeBridge(figures) });
  expect(page).toContain("| **the bridge, 100 at once**      |     800 |        0.80 |");
  expect(page).toContain("Left out, since this machine has no Java 17: Kafka");
  expect(page).not.toMatch(/NaN|undefined|## Slow|## Both|## A long|## Adapters/);
});

test("the command line of bench:bridge", () => {
  expect(readOptions(bridge, ["--help"])).toBeUndefined();
  expect(readOptions(bridge, [])).toMatchObject({ plan: fullPlan, write: false, json: false });
  expect(readOptions(bridge, [])?.buses).toEqual(["sqlite", "postgres", "kafka"]);
  expect(readOptions(bridge, ["--quick", "--only", "kafka", "--only", "sqlite", "--write"])).toMatchObject({
    plan: quickPlan,
    buses: ["sqlite", "kafka"],
    write: true,
  });
  expect(() => readOptions(bridge, ["--only", "redis"])).toThrow("--only redis: there is only sqlite, postgres, kafka");
  expect(() => readOptions(bridge, ["--fast"])).toThrow(TypeError);
});

test("each goal has a measured point", () => {
  expect(points).toContainEqual({ agents: "at once", inFlight: 200 });
  expect(points).toContainEqual({ agents: "in 20 ms", inFlight: 200 });
});
