import { ratioOf as bridgeRatio, samplesAt as bridgeSamplesAt, type BridgeFigures } from "../bridge/figures.ts";
import { leastOfLoop } from "../bridge/goals.ts";
import { atOnce, buses } from "../bridge/plan.ts";
import { samplesAt as durableSamplesAt, type DurableFigures } from "../durable/figures.ts";
import { ratioOf as zoneRatio, type Samples } from "../http/figures.ts";
import { median } from "../kit/statistics.ts";
import type { LoadFigures } from "../load/run-load.ts";
import type { PathFigures } from "../path/measure.ts";
import { summarize, type PathSummary } from "../path/summary.ts";
import {
  overheadRatioOf,
  ratioOf as stepRatio,
  samplesAt as workflowSamplesAt,
  summarizeScaling,
  type WorkflowFigures,
} from "../workflow/figures.ts";
import { limits } from "../workflow/goals.ts";
import { fairPeerOf, type PeerName } from "../workflow/plan.ts";

/** What the benchmarks of one version printed in one round. */
export interface Found {
  readonly path?: PathFigures;
  readonly bridge?: { readonly figures: BridgeFigures };
  readonly workflow?: { readonly figures: WorkflowFigures };
  readonly zone?: { readonly samples: Samples };
  readonly durable?: { readonly figures: DurableFigures };
  readonly load?: { readonly figures: LoadFigures };
}

/** A row of the comparison. */
export interface Figure {
  readonly title: string;
  readonly goal?: Goal;
  /** Whether the highest of all rounds counts instead of their median. */
  readonly worst?: boolean;
  /** Undefined where it was not measured. */
  readonly of: (found: Found) => number | undefined;
}

export interface Goal {
  readonly at: "least" | "most";
  readonly value: number;
}

const least = (value: number): Goal => ({ at: "least", value });
const most = (value: number): Goal => ({ at: "most", value });

const engines = ["sqlite", "postgres", "kafka"] as const;
type Engine = (typeof engines)[number];
const onEach = (row: (engine: Engine, title: string) => Figure): Figure[] =>
  engines.map((engine) => row(engine, buses[engine].short));

const onWay = (title: string, name: keyof PathSummary, goal?: number): Figure => ({
  title: `One question: ${title}`,
  ...(goal !== undefined && { goal: most(goal) }),
  of: ({ path }) => path && summarize(path)[name],
});

const stepsBeside = ({ workflow }: Found, pair: readonly [PeerName, PeerName]): number | undefined =>
  workflow && stepRatio(workflowSamplesAt(workflow.figures.samples, { pace: "at once", runs: 64 }), pair);

const overheadBeside = ({ workflow }: Found, pair: readonly [PeerName, PeerName]): number | undefined =>
  workflow && overheadRatioOf(workflowSamplesAt(workflow.figures.samples, { pace: "at once", runs: 1 }), pair);

/** The rows, in their order. */
export const figures: readonly Figure[] = [
  onWay("writes", "writes", 12),
  onWay("tables written", "tables", 5),
  onWay("round trips of execution", "executionTrips", 3),
  onWay("commits of execution", "executionCommits", 3),
  onWay("files that ran", "files"),
  onWay("lines of code that ran", "lines"),
  onWay("folder borders", "borders"),
  onWay("files of queue, bus and worker code", "durableFiles"),
  onWay("lines of it that ran", "durableLines"),
  onWay("folder borders within it", "durableBorders"),
  ...onEach((bus, title) => ({
    title: `${title}: the bridge, of a hand-written loop, agents that answer at once`,
    goal: least(leastOfLoop[bus]),
    of: ({ bridge }) => bridge && bridgeRatio(bridgeSamplesAt(bridge.figures.samples, bus, atOnce), ["bridge", "loop"]),
  })),
  ...onEach((bus, title) => ({
    title: `${title}: drain of 10,000 waiting tasks, tasks/s`,
    of: ({ bridge }) => bridge?.figures.backlogs.find((one) => one.bus === bus)?.drainedPerSecond,
  })),
  ...onEach((peer, title) => ({
    title: `${title}: steps of 64 runs, of by hand with a row a step`,
    goal: least(limits[peer].steps),
    of: (found) => stepsBeside(found, [peer, fairPeerOf(peer) ?? peer]),
  })),
  {
    title: "PostgreSQL: steps of 64 runs, × DBOS",
    goal: least(2.5),
    of: (found) => stepsBeside(found, ["postgres", "dbos"]),
  },
  {
    title: "PostgreSQL: one run, overhead a step, × DBOS",
    goal: most(1.2),
    of: (found) => overheadBeside(found, ["postgres", "dbos"]),
  },
  {
    title: "Kafka: one run, overhead a step, × by hand with a row a step",
    goal: most(limits.kafka.overhead),
    of: (found) => overheadBeside(found, ["kafka", "careful-postgres"]),
  },
  ...onEach((peer, title) => ({
    title: `${title}: 2 executors, × 1, agents that answer in 20 ms`,
    goal: least(limits[peer].scaling),
    of: ({ workflow }) =>
      workflow &&
      summarizeScaling(workflow.figures.scaling).find((row) => row.peer === peer && row.pace === "in 20 ms")?.ratio,
  })),
  {
    title: "Execution zone with tasks in memory, of bare node:http",
    of: ({ zone }) => zone && zoneRatio(zone.samples, "300 B", ["execution", "bare"])?.byRequests,
  },
  {
    title: "Execution zone with a durable task, of bare node:http",
    goal: least(0.35),
    of: ({ zone, durable }) => zone && durable && durableOfBare(zone.samples, durable.figures),
  },
  {
    title: "Mention to answer at 100 mentions/s, p50 ms",
    goal: most(20),
    of: ({ load }) => load?.figures.answers.latency.p50,
  },
  {
    title: "Mention to answer at 100 mentions/s, p99 ms",
    goal: most(100),
    of: ({ load }) => load?.figures.answers.latency.p99,
  },
  {
    title: "Mentions that were not answered once, and right",
    goal: most(0),
    worst: true,
    of: ({ load }) => load && load.figures.answers.mentions - load.figures.answers.right,
  },
];

/** Both have 10 connections, with one request of 300 B at a time on each. */
function durableOfBare(zone: Samples, { samples }: DurableFigures): number | undefined {
  const bare = zone.servers.filter(({ server, size }) => server === "bare" && size === "300 B");
  const durable = durableSamplesAt(samples, { mode: "answered", size: "300 B", connections: 10 });
  if (bare.length === 0 || durable.length === 0) return undefined;
  const middle = (of: readonly { readonly requestsPerSecond: number }[]): number =>
    median(of.map(({ requestsPerSecond }) => requestsPerSecond));
  return middle(durable) / middle(bare);
}
