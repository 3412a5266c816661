import { median, mediansOf, pairedRatio } from "../kit/statistics.ts";
import type { LoopSample, PeerSample, ScaleSample } from "./measure-peer.ts";
import { fairPeerOf, peerNames, points, type PeerName, type Point } from "./plan.ts";

/** All that was measured, in the order in which it was. */
export interface WorkflowFigures {
  readonly samples: readonly PeerSample[];
  readonly loops: readonly LoopSample[];
  readonly scaling: readonly ScaleSample[];
  /** Peers that this machine cannot run. */
  readonly skipped: readonly PeerName[];
}

/** One table for each measured point. */
export function summarizePeers(samples: readonly PeerSample[]) {
  const tables = points.map((point) => {
    const at = samplesAt(samples, point);
    return { ...point, rows: peerNames.flatMap((peer) => rowOf(at, peer)) };
  });
  return tables.filter(({ rows }) => rows.length > 0);
}

export type PeerTable = ReturnType<typeof summarizePeers>[number];

export const samplesAt = (samples: readonly PeerSample[], { pace, runs }: Point): readonly PeerSample[] =>
  samples.filter((sample) => sample.pace === pace && sample.runs === runs);

const samplesOf = (at: readonly PeerSample[], name: PeerName): PeerSample[] => at.filter(({ peer }) => peer === name);

/** The medians over all rounds of one peer at one point, its overhead, and what both are of the fair peer's. */
function rowOf(at: readonly PeerSample[], peer: PeerName) {
  const own = samplesOf(at, peer);
  if (own.length === 0) return [];
  const overheads = overheadsOf(at, peer);
  const overhead = overheads.length === 0 ? undefined : mediansOf(overheads, ["p50Ms", "p99Ms"]);
  const fair = fairPeerOf(peer);
  const row = {
    peer,
    ...mediansOf(own, ["stepsPerSecond", "cpuUs", "p50Ms", "p99Ms"]),
    toFair: fair && ratioOf(at, [peer, fair]),
    overheadMs: overhead?.p50Ms,
    overheadP99Ms: overhead?.p99Ms,
    overheadToFair: fair && overheadRatioOf(at, [peer, fair]),
  };
  return [row];
}

type Pair = readonly [PeerName, PeerName];

/** How many times one peer's steps are another's, or its CPU time a step. */
export function ratioOf(
  at: readonly PeerSample[],
  [one, other]: Pair,
  figure: "stepsPerSecond" | "cpuUs" = "stepsPerSecond",
): number | undefined {
  return pairedRatio([samplesOf(at, one), samplesOf(at, other)], (sample) => sample[figure]);
}

/** How many times one peer's overhead is another's. */
export function overheadRatioOf(at: readonly PeerSample[], [one, other]: Pair): number | undefined {
  // An overhead that is lost in the noise of the calls can't be compared with.
  const visible = overheadsOf(at, other).filter(({ p50Ms }) => p50Ms > 0);
  return pairedRatio([overheadsOf(at, one), visible], ({ p50Ms }) => p50Ms);
}

/** What a peer adds to the calls alone: those of the peer that does nothing else, in the same round. */
function overheadsOf(at: readonly PeerSample[], name: PeerName) {
  return samplesOf(at, name).flatMap(({ peer, round, p50Ms, p99Ms }) => {
    const calls = samplesOf(at, "plain").find((sample) => sample.round === round);
    if (calls === undefined || peer === "plain") return [];
    return [{ round, p50Ms: p50Ms - calls.p50Ms, p99Ms: p99Ms - calls.p50Ms }];
  });
}

/** Medians over all rounds of a peer's loop, and how many times as fast as the fair peer it is. */
export const summarizeLoops = (loops: readonly LoopSample[]) =>
  peerNames.flatMap((peer) => {
    const of = (name: PeerName): LoopSample[] => loops.filter((loop) => loop.peer === name);
    const own = of(peer);
    const fair = fairPeerOf(peer);
    const toFair = fair && pairedRatio([of(fair), own], ({ ms }) => ms);
    return own.length === 0 ? [] : [{ peer, ms: median(own.map(({ ms }) => ms)), toFair }];
  });

/** Steps per second of one process and of two of a peer; the ratio is the median of those within a turn. */
export function summarizeScaling(scaling: readonly ScaleSample[]) {
  const paces = [...new Set(scaling.map(({ pace }) => pace))];
  return paces.flatMap((pace) =>
    peerNames.flatMap((peer) => {
      const of = (count: number): ScaleSample[] =>
        scaling.filter((one) => one.peer === peer && one.pace === pace && one.executors === count);
      const steps = (count: number): number => median(of(count).map(({ stepsPerSecond }) => stepsPerSecond));
      const ratio = pairedRatio([of(2), of(1)], ({ stepsPerSecond }) => stepsPerSecond);
      return ratio === undefined ? [] : [{ peer, pace, one: steps(1), two: steps(2), ratio }];
    }),
  );
}
