import { withServices } from "../agents/services.ts";
import { defineBenchmark } from "../kit/benchmark.ts";
import { fixed, paragraphs, tableSection } from "../kit/markdown.ts";
import { inRounds } from "../kit/rounds.ts";
import { mediansOf, pairedRatio } from "../kit/statistics.ts";
import { chainCount, loopWidth, stepsInRun } from "./chains.ts";
import {
  few,
  measurePeer,
  measureScaling,
  points,
  type Bench,
  type LoopSample,
  type PeerSample,
  type Plan,
  type ScaleSample,
  type WorkflowFigures,
} from "./measure.ts";
import { fairPeerOf, peerNames, peers, type PeerName } from "./peers.ts";
import type { Point } from "./run-load.ts";

const fullPlan: Plan = { warmUpMs: 4_000, windows: 3, windowMs: 1_000, aloneMs: 3_000, items: 1_000 };
const quickPlan: Plan = { warmUpMs: 200, windows: 1, windowMs: 300, aloneMs: 300, items: 100 };

export const workflow = defineBenchmark({
  title: "Workflows",

  measure: ({ rounds, isQuick }, progress) => {
    const needs = peerNames.map((name) => ({ name, ...peers[name] }));
    return withServices(needs, progress, async (services, names): Promise<WorkflowFigures> => {
      const bench: Bench = { ...services, plan: isQuick ? quickPlan : fullPlan };
      const found = await inRounds({ rounds, of: names, progress }, async (name, round) => [
        await measurePeer(name, round, bench),
      ]);
      const ours = names.filter((name) => peers[name].kind === "crosszone");
      const scaling = await inRounds({ rounds, of: ours, progress }, (name, round) =>
        measureScaling(name, round, bench),
      );
      return { samples: found.flatMap(({ samples }) => samples), loops: found.map(({ loop }) => loop), scaling };
    });
  },

  render: (figures, { isQuick }) => renderWorkflows(figures, (isQuick ? quickPlan : fullPlan).items),
});

const at = (samples: readonly PeerSample[], { pace, runs }: Point, name: PeerName): PeerSample[] =>
  samples.filter(({ peer, ...sample }) => peer === name && sample.pace === pace && sample.runs === runs);

const title = ["peer", ({ peer }: { readonly peer: PeerName }) => peers[peer].title] as const;

/** One peer at one point: the medians over all rounds, what it adds to the calls alone, and both compared with the fair peer's. */
export function summarizePeer(samples: readonly PeerSample[], point: Point, peer: PeerName) {
  const of = (name: PeerName): PeerSample[] => at(samples, point, name);
  /** The peer that stores nothing only makes the calls. */
  const overheads = (name: PeerName) =>
    of(name).flatMap(({ round, p50Ms }) => {
      const calls = of("plain").find((sample) => sample.round === round);
      return calls === undefined || name === "plain" ? [] : [{ round, ms: p50Ms - calls.p50Ms }];
    });
  const fair = fairPeerOf(peer);
  // An overhead that is lost in the noise of the calls can't be compared with.
  const visible = fair === undefined ? [] : overheads(fair).filter(({ ms }) => ms > 0);
  return {
    peer,
    ...mediansOf(of(peer), ["stepsPerSecond", "cpuUs", "p50Ms", "p99Ms"]),
    toFair: fair && pairedRatio([of(peer), of(fair)], ({ stepsPerSecond }) => stepsPerSecond),
    overheadMs: overheads(peer).length === 0 ? undefined : mediansOf(overheads(peer), ["ms"]).ms,
    overheadToFair: pairedRatio([overheads(peer), visible], ({ ms }) => ms),
  };
}

const about = `A run is ${stepsInRun} steps, one after another. Each gives an agent in another process the answer of the agent before it, over HTTP, in both
protocols by turns; ${chainCount} different workflows share the agents.

- **By hand, nothing is kept** shows how long the calls take.
- **By hand, a row a step** flushes a row to the disk before each call, and its answer after it. It is the fair peer: the least that a
  durable run costs. It has no deadlines, limits per agent, retries or cancellation, and no other process continues its runs.
- **DBOS Transact** keeps each step's answer in PostgreSQL and continues runs after a crash. Its steps are calls of its own process.
- **Crosszone** is whole: a durable row for each call, leases, limits, circuits, logs and metrics. Any process continues any run.
- CPU time is that of the peer's process, which also starts its runs: with SQLite, without PostgreSQL and Kafka.`;

export function renderWorkflows({ samples, loops, scaling }: WorkflowFigures, items: number): string {
  const measured = peerNames.filter((name) => samples.some(({ peer }) => peer === name));
  const pointSection = (point: Point): string => {
    const rows = measured.map((peer) => summarizePeer(samples, point, peer));
    if (point.runs > 1)
      return tableSection({
        title: `${point.runs} runs at once, agents that answer ${point.pace}`,
        rows,
        columns: [
          title,
          ["steps/s", ({ stepsPerSecond }) => fixed(stepsPerSecond, 0)],
          ["of by hand with a row", ({ toFair }) => fixed(toFair, 2)],
          ["CPU µs a step", ({ cpuUs }) => fixed(cpuUs, 0)],
          ["step p50 ms", ({ p50Ms }) => fixed(p50Ms, 1)],
          ["p99 ms", ({ p99Ms }) => fixed(p99Ms, 1)],
        ],
      });
    return tableSection({
      title: `One run at a time, agents that answer ${point.pace}`,
      text: "The overhead is the time of a step without the call itself.",
      rows,
      columns: [
        title,
        ["step p50 ms", ({ p50Ms }) => fixed(p50Ms, 2)],
        ["p99 ms", ({ p99Ms }) => fixed(p99Ms, 2)],
        ["overhead p50 ms", ({ overheadMs }) => fixed(overheadMs, 2)],
        ["× by hand with a row", ({ overheadToFair }) => fixed(overheadToFair, 2)],
        ["CPU µs a step", ({ cpuUs }) => fixed(cpuUs, 0)],
      ],
    });
  };
  return paragraphs(about, ...points.map(pointSection), scaleSection(scaling), loopSection(loops, items));
}

const scaleSection = (scaling: readonly ScaleSample[]): string =>
  tableSection({
    title: "One process and two",
    text: `64 runs in all processes together, on one database; agents that answer in 20 ms, ${few} calls at once in a process. No process has its own core.`,
    rows: peerNames.flatMap((peer) => {
      const [one, two] = ([1, 2] as const).map((count) =>
        scaling.filter((sample) => sample.peer === peer && sample.executors === count),
      );
      return one?.length && two?.length ? [{ peer, one, two }] : [];
    }),
    columns: [
      title,
      ["steps/s of one", ({ one }) => fixed(mediansOf(one, ["stepsPerSecond"]).stepsPerSecond, 0)],
      ["of two", ({ two }) => fixed(mediansOf(two, ["stepsPerSecond"]).stepsPerSecond, 0)],
      [
        "times",
        ({ one, two }) =>
          fixed(
            pairedRatio([two, one], ({ stepsPerSecond }) => stepsPerSecond),
            2,
          ),
      ],
    ],
  });

function loopSection(loops: readonly LoopSample[], items: number): string {
  const of = (name: PeerName): LoopSample[] => loops.filter(({ peer }) => peer === name);
  return tableSection({
    title: `A loop of ${items} items`,
    text: `One run, ${loopWidth} items at once, an agent that answers in 20 ms: the calls alone take at least ${(items / loopWidth) * 20} ms.`,
    rows: peerNames.filter((peer) => of(peer).length > 0).map((peer) => ({ peer, fair: fairPeerOf(peer) })),
    columns: [
      title,
      ["ms", ({ peer }) => fixed(mediansOf(of(peer), ["ms"]).ms, 0)],
      [
        "× as fast as by hand with a row",
        ({ peer, fair }) => fixed(fair && pairedRatio([of(fair), of(peer)], ({ ms }) => ms), 2),
      ],
    ],
  });
}
