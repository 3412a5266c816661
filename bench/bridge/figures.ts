import { mediansOf, pairedRatio } from "../kit/statistics.ts";
import type { Backlog, PeerSample } from "./measure-peer.ts";
import type { FairTurn, ProtocolTurn, Turn } from "./measure-turns.ts";
import { busNames, peerNames, points, type BusName, type PeerName, type Point, type Subject } from "./plan.ts";
import type { LoadResult } from "./task-load.ts";

/** What it costs to put a task into a protocol, and to read the answer; microseconds. */
export interface TranslationCost {
  readonly protocol: string;
  /** Of the answer. */
  readonly bytes: number;
  readonly request: { readonly p50Us: number; readonly p95Us: number };
  readonly response: { readonly p50Us: number; readonly p95Us: number };
}

/** All that was measured, in the order in which it was. */
export interface BridgeFigures {
  readonly samples: readonly PeerSample[];
  readonly fairness: readonly FairTurn[];
  readonly protocols: readonly ProtocolTurn[];
  readonly backlogs: readonly Backlog[];
  readonly translation: readonly TranslationCost[];
  /** Buses that this machine does not have. */
  readonly skipped: readonly BusName[];
}

const medians = (of: readonly LoadResult[]) => mediansOf(of, ["tasksPerSecond", "cpuUs", "p50Ms", "p99Ms"]);

/** The medians over all rounds: one table for each measured bus and point. */
export function summarizePeers(samples: readonly PeerSample[]) {
  const tables = busNames.flatMap((bus) =>
    points.map((point) => {
      const at = samplesAt(samples, bus, point);
      const rows = peerNames.flatMap((peer) => {
        const own = at.filter((sample) => sample.peer === peer);
        return own.length === 0 ? [] : [{ peer, ...medians(own), toLoop: ratioOf(at, [peer, "loop"]) }];
      });
      return { bus, ...point, rows };
    }),
  );
  return tables.filter(({ rows }) => rows.length > 0);
}

export type PeerTable = ReturnType<typeof summarizePeers>[number];

export const samplesAt = (samples: readonly PeerSample[], bus: BusName, { agents, inFlight }: Point): PeerSample[] =>
  samples.filter((sample) => sample.bus === bus && sample.agents === agents && sample.inFlight === inFlight);

/** How many times one peer's figure is another's. */
export function ratioOf(
  at: readonly PeerSample[],
  [one, other]: readonly [PeerName, PeerName],
  figure: "tasksPerSecond" | "cpuUs" = "tasksPerSecond",
): number | undefined {
  const of = (name: PeerName): PeerSample[] => at.filter(({ peer }) => peer === name);
  return pairedRatio([of(one), of(other)], (sample) => sample[figure]);
}

/** Two loads that alternated, by subject: their medians, and the ratio of a figure within a turn. */
function compareTurns<Which extends string>(turns: readonly Turn<Which>[], [one, other]: readonly [Which, Which]) {
  const subjects = new Map(turns.map(({ peer, bus }): [string, Subject] => [`${peer} ${bus}`, { peer, bus }]));
  return [...subjects.values()].map(({ peer, bus }) => {
    const of = (which: Which): Turn<Which>[] =>
      turns.filter((turn) => turn.peer === peer && turn.bus === bus && turn.which === which);
    const both = [of(one), of(other)] as const;
    const ratio = (figure: (turn: LoadResult) => number): number => pairedRatio(both, figure) ?? Number.NaN;
    return { peer, bus, one: medians(both[0]), other: medians(both[1]), ratio };
  });
}

/** Agents that answer in time, with and without slow ones. The ratio is how many times as long the p99 is with them. */
export const summarizeFairness = (turns: readonly FairTurn[]) =>
  compareTurns(turns, ["with", "without"]).map(({ peer, bus, one, other, ratio }) => ({
    peer,
    bus,
    with: one,
    without: other,
    p99Ratio: ratio(({ p99Ms }) => p99Ms),
  }));

/** Both protocols. The ratio is how many times as many tasks go over JSON-RPC. */
export const summarizeProtocols = (turns: readonly ProtocolTurn[]) =>
  compareTurns(turns, ["jsonrpc-2.0", "simple-a2a"]).map(({ bus, one, other, ratio }) => ({
    bus,
    jsonRpc: one,
    simple: other,
    ratio: ratio(({ tasksPerSecond }) => tasksPerSecond),
    byCpu: ratio(({ cpuUs }) => 1 / cpuUs),
  }));
