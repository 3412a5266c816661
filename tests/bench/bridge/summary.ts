import { pairedRatio } from "../paired-ratio.ts";
import { median } from "../statistics.ts";
import type { PeerSample } from "./measure-peer.ts";
import type { FairTurn, ProtocolTurn } from "./measure-turns.ts";
import { busNames, peerNames, type BusName, type PeerName, type Subject } from "./peers.ts";
import { points, type Point } from "./plan.ts";

const figures = ["tasksPerSecond", "cpuUs", "p50Ms", "p99Ms"] as const;
type Figures = Readonly<Record<(typeof figures)[number], number>>;

/** The medians over all rounds of one peer at one point. */
export type PeerRow = Figures & { readonly peer: PeerName; readonly toLoop: number | undefined };

export type PeerTable = Point & { readonly bus: BusName; readonly rows: readonly PeerRow[] };

/** One table for each bus and point. What was not measured is not there. */
export function summarisePeers(samples: readonly PeerSample[]): PeerTable[] {
  const tables = busNames.flatMap((bus) =>
    points.map((point): PeerTable => {
      const at = samplesAt(samples, bus, point);
      return { bus, ...point, rows: peerNames.flatMap((peer) => rowOf(at, peer) ?? []) };
    }),
  );
  return tables.filter(({ rows }) => rows.length > 0);
}

export function samplesAt(
  samples: readonly PeerSample[],
  bus: BusName,
  { agents, inFlight }: Point,
): readonly PeerSample[] {
  return samples.filter((sample) => sample.bus === bus && sample.agents === agents && sample.inFlight === inFlight);
}

function rowOf(at: readonly PeerSample[], peer: PeerName): PeerRow | undefined {
  const own = at.filter((sample) => sample.peer === peer);
  return own.length === 0 ? undefined : { peer, ...medians(own), toLoop: ratioOf(at, [peer, "loop"]) };
}

function medians(of: readonly Figures[]): Figures {
  const found = figures.map((figure) => [figure, median(of.map((one) => one[figure]))]);
  return Object.fromEntries(found) as Figures;
}

/** How many times one peer's figure is another's. */
export function ratioOf(
  at: readonly PeerSample[],
  [one, other]: readonly [PeerName, PeerName],
  figure: keyof Figures = "tasksPerSecond",
): number | undefined {
  const of = (name: PeerName): PeerSample[] => at.filter(({ peer }) => peer === name);
  return pairedRatio([of(one), of(other)], (sample) => sample[figure]);
}

/** Medians over all turns of agents that answer in time, without and with slow ones beside them. */
export interface FairRow extends Subject {
  readonly without: Figures;
  readonly with: Figures;
  /** How many times as long the p99 is with them, within a turn; the median of that. */
  readonly p99Ratio: number;
}

export function summariseFairness(turns: readonly FairTurn[]): FairRow[] {
  return subjectsOf(turns).map(({ peer, bus }) => {
    const own = turns.filter((turn) => turn.peer === peer && turn.bus === bus);
    const of = (which: FairTurn["which"]): FairTurn[] => own.filter((turn) => turn.which === which);
    const p99Ratio = median(pairs(of("with"), of("without")).map(([one, other]) => one.p99Ms / other.p99Ms));
    return { peer, bus, without: medians(of("without")), with: medians(of("with")), p99Ratio };
  });
}

/** Medians over all turns of both protocols. */
export interface ProtocolRow {
  readonly bus: BusName;
  readonly jsonRpc: Figures;
  readonly simple: Figures;
  /** How many times as many tasks go over JSON-RPC, within a turn; the median of that. */
  readonly ratio: number;
  readonly byCpu: number;
}

export function summariseProtocols(turns: readonly ProtocolTurn[]): ProtocolRow[] {
  return subjectsOf(turns).map(({ bus }) => {
    const of = (which: ProtocolTurn["which"]): ProtocolTurn[] =>
      turns.filter((turn) => turn.bus === bus && turn.which === which);
    const both = pairs(of("jsonrpc-2.0"), of("simple-a2a"));
    return {
      bus,
      jsonRpc: medians(of("jsonrpc-2.0")),
      simple: medians(of("simple-a2a")),
      ratio: median(both.map(([one, other]) => one.tasksPerSecond / other.tasksPerSecond)),
      byCpu: median(both.map(([one, other]) => other.cpuUs / one.cpuUs)),
    };
  });
}

function subjectsOf(turns: readonly Subject[]): Subject[] {
  const all = turns.map(({ peer, bus }) => [`${peer} ${bus}`, { peer, bus }] as const);
  return [...new Map(all).values()];
}

function pairs<T extends { readonly turn: number }>(ones: readonly T[], others: readonly T[]): [T, T][] {
  return ones.flatMap((one) => {
    const other = others.find(({ turn }) => turn === one.turn);
    return other ? [[one, other] as [T, T]] : [];
  });
}
