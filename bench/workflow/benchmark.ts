import { withServices, type Times } from "../agents/services.ts";
import { defineBenchmark } from "../kit/benchmark.ts";
import { fixed, paragraphs, tableSection } from "../kit/markdown.ts";
import { inRounds } from "../kit/rounds.ts";
import { mediansOf, pairedRatio } from "../kit/statistics.ts";
import { chainCount, paces, stepsInRun, type Pace } from "./chains.ts";
import { few, measurePeer, measureScaling, runs, type PeerSample, type WorkflowFigures } from "./measure.ts";
import { fairPeerOf, peerNames, peers, type PeerName } from "./peers.ts";

const fullTimes: Times = { warmUpMs: 4_000, windows: 3, windowMs: 1_000 };
const quickTimes: Times = { warmUpMs: 200, windows: 1, windowMs: 300 };

export const workflow = defineBenchmark({
  title: "Workflows",

  measure: ({ rounds, isQuick }, progress) => {
    const needs = peerNames.map((name) => ({ name, ...peers[name] }));
    return withServices(needs, progress, async (services, names): Promise<WorkflowFigures> => {
      const bench = { ...services, ...(isQuick ? quickTimes : fullTimes) };
      const samples = await inRounds({ rounds, of: names, progress }, (name, round) => measurePeer(name, round, bench));
      const ours = names.filter((name) => peers[name].kind === "crosszone");
      const scaling = await inRounds({ rounds, of: ours, progress }, (name, round) =>
        measureScaling(name, round, bench),
      );
      return { samples, scaling };
    });
  },

  render: renderWorkflows,
});

const title = ["peer", ({ peer }: { readonly peer: PeerName }) => peers[peer].title] as const;

/** One peer at one pace: the medians over all rounds, and how many times as many steps as those of the fair peer. */
function summarizePeer(samples: readonly PeerSample[], pace: Pace, peer: PeerName) {
  const of = (name: PeerName): PeerSample[] => samples.filter((one) => one.peer === name && one.pace === pace);
  const fair = fairPeerOf(peer);
  return {
    peer,
    ...mediansOf(of(peer), ["stepsPerSecond", "cpuUs", "p50Ms", "p99Ms"]),
    toFair: fair && pairedRatio([of(peer), of(fair)], ({ stepsPerSecond }) => stepsPerSecond),
  };
}

const about = `A run is ${stepsInRun} steps, one after another. Each gives an agent in another process the answer of the agent before it, over HTTP, in both
protocols by turns; ${chainCount} different workflows share the agents.

- **By hand, nothing is kept** shows how long the calls take.
- **By hand, a row a step** flushes a row to the disk before each call, and its answer after it. No other process continues its runs.
- **DBOS Transact** keeps each step's answer in PostgreSQL and continues runs after a crash. Its steps are calls of its own process.
- **Crosszone** is whole, with a durable row for each call. Any process continues any run.`;

function renderWorkflows({ samples, scaling }: WorkflowFigures): string {
  const measured = peerNames.filter((name) => samples.some(({ peer }) => peer === name));
  const paceSection = (pace: Pace): string =>
    tableSection({
      title: `${runs} runs at once, agents that answer ${pace}`,
      rows: measured.map((peer) => summarizePeer(samples, pace, peer)),
      columns: [
        title,
        ["steps/s", ({ stepsPerSecond }) => fixed(stepsPerSecond, 0)],
        ["of by hand with a row", ({ toFair }) => fixed(toFair, 2)],
        ["CPU µs a step", ({ cpuUs }) => fixed(cpuUs, 0)],
        ["step p50 ms", ({ p50Ms }) => fixed(p50Ms, 1)],
        ["p99 ms", ({ p99Ms }) => fixed(p99Ms, 1)],
      ],
    });
  return paragraphs(about, ...paces.map(paceSection), scaleSection(scaling));
}

const scaleSection = (scaling: WorkflowFigures["scaling"]): string =>
  tableSection({
    title: "One process and two",
    text: `${runs} runs in all processes together, on one database; agents that answer in 20 ms, ${few} calls at once in a process. No process has its own core.`,
    rows: peerNames.flatMap((peer) => {
      const [one, two] = ([1, 2] as const).map((count) =>
        scaling.filter((sample) => sample.peer === peer && sample.executors === count),
      );
      if (!one?.length || !two?.length) return [];
      return [{ peer, one, two, times: pairedRatio([two, one], ({ stepsPerSecond }) => stepsPerSecond) }];
    }),
    columns: [
      title,
      ["steps/s of one", ({ one }) => fixed(mediansOf(one, ["stepsPerSecond"]).stepsPerSecond, 0)],
      ["of two", ({ two }) => fixed(mediansOf(two, ["stepsPerSecond"]).stepsPerSecond, 0)],
      ["times", ({ times }) => fixed(times, 2)],
    ],
  });
