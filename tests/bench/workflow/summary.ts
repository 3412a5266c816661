import { pairedRatio } from "../paired-ratio.ts";
import { median } from "../statistics.ts";
import type { Pace } from "./chains.ts";
import type { LoopSample, PeerSample } from "./measure-peer.ts";
import type { ScaleSample } from "./measure-scaling.ts";
import { fairPeerOf, peerNames, type PeerName } from "./peers.ts";
import { points, type Point } from "./plan.ts";

/** The medians over all rounds of one peer at one point. */
export interface PeerRow {
  readonly peer: PeerName;
  readonly stepsPerSecond: number;
  readonly cpuUs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** How many times as many steps as the fair peer does, within a round; the median of that. */
  readonly toFair: number | undefined;
  /** Milliseconds of a step over those of the calls alone; undefined when these were not measured. */
  readonly overheadMs: number | undefined;
  readonly overheadP99Ms: number | undefined;
  /** How many times as long as the fair peer's is the overhead, within a round; the median of that. */
  readonly overheadToFair: number | undefined;
}

export type PeerTable = Point & { readonly rows: readonly PeerRow[] };

/** One table for each point. What was not measured is not there. */
export function summarisePeers(samples: readonly PeerSample[]): PeerTable[] {
  const tables = points.map((point): PeerTable => {
    const at = samplesAt(samples, point);
    return { ...point, rows: peerNames.flatMap((peer) => rowOf(at, peer) ?? []) };
  });
  return tables.filter(({ rows }) => rows.length > 0);
}

export function samplesAt(samples: readonly PeerSample[], { pace, runs }: Point): readonly PeerSample[] {
  return samples.filter((sample) => sample.pace === pace && sample.runs === runs);
}

function rowOf(at: readonly PeerSample[], peer: PeerName): PeerRow | undefined {
  const own = samplesOf(at, peer);
  if (own.length === 0) return undefined;
  const middle = (figure: "stepsPerSecond" | "cpuUs" | "p50Ms" | "p99Ms"): number =>
    median(own.map((sample) => sample[figure]));
  const overheads = own.flatMap((sample) => overheadOf(at, sample) ?? []);
  const fair = fairPeerOf(peer);
  const middleOf = (figure: keyof Overhead): number | undefined =>
    overheads.length === 0 ? undefined : median(overheads.map((overhead) => overhead[figure]));
  return {
    peer,
    stepsPerSecond: middle("stepsPerSecond"),
    cpuUs: middle("cpuUs"),
    p50Ms: middle("p50Ms"),
    p99Ms: middle("p99Ms"),
    toFair: fair && ratioOf(at, [peer, fair]),
    overheadMs: middleOf("p50Ms"),
    overheadP99Ms: middleOf("p99Ms"),
    overheadToFair: fair && overheadRatioOf(at, [peer, fair]),
  };
}

/** How many times one peer's steps are another's, or its CPU time a step. */
export function ratioOf(
  at: readonly PeerSample[],
  [one, other]: readonly [PeerName, PeerName],
  figure: "stepsPerSecond" | "cpuUs" = "stepsPerSecond",
): number | undefined {
  return pairedRatio([samplesOf(at, one), samplesOf(at, other)], (sample) => sample[figure]);
}

/** How many times one peer's overhead is another's. */
export function overheadRatioOf(
  at: readonly PeerSample[],
  [one, other]: readonly [PeerName, PeerName],
): number | undefined {
  const overheads = (peer: PeerName): Overhead[] =>
    samplesOf(at, peer).flatMap((sample) => overheadOf(at, sample) ?? []);
  // What is lost in the noise of the calls is nothing to be compared with.
  const seen = overheads(other).filter(({ p50Ms }) => p50Ms > 0);
  return pairedRatio([overheads(one), seen], ({ p50Ms }) => p50Ms);
}

interface Overhead {
  readonly round: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** What a peer adds to the calls, whose time is that of the peer that does nothing else, in the same round. */
function overheadOf(at: readonly PeerSample[], { peer, round, p50Ms, p99Ms }: PeerSample): Overhead | undefined {
  const calls = samplesOf(at, "plain").find((sample) => sample.round === round);
  if (calls === undefined || peer === "plain") return undefined;
  return { round, p50Ms: p50Ms - calls.p50Ms, p99Ms: p99Ms - calls.p50Ms };
}

const samplesOf = (at: readonly PeerSample[], name: PeerName): PeerSample[] => at.filter(({ peer }) => peer === name);

/** Medians over all rounds of a peer's loop. */
export interface LoopRow {
  readonly peer: PeerName;
  readonly ms: number;
  /** How many times as fast as the fair peer. */
  readonly toFair: number | undefined;
}

export function summariseLoops(loops: readonly LoopSample[]): LoopRow[] {
  const of = (name: PeerName): LoopSample[] => loops.filter(({ peer }) => peer === name);
  return peerNames.flatMap((peer) => {
    const own = of(peer);
    const fair = fairPeerOf(peer);
    const toFair = fair && pairedRatio([of(fair), own], ({ ms }) => ms);
    return own.length === 0 ? [] : [{ peer, ms: median(own.map(({ ms }) => ms)), toFair }];
  });
}

/** One process and two of a peer. */
export interface ScaleRow {
  readonly peer: PeerName;
  readonly pace: Pace;
  /** Steps per second. */
  readonly one: number;
  readonly two: number;
  /** How many times as many steps two do, within a turn; the median of that. */
  readonly ratio: number;
}

export function summariseScaling(scaling: readonly ScaleSample[]): ScaleRow[] {
  const paces = [...new Set(scaling.map(({ pace }) => pace))];
  return paces.flatMap((pace) =>
    peerNames.flatMap((peer) => {
      const of = (count: number): ScaleSample[] =>
        scaling.filter((one) => one.peer === peer && one.pace === pace && one.executors === count);
      const steps = (samples: readonly ScaleSample[]): number =>
        median(samples.map(({ stepsPerSecond }) => stepsPerSecond));
      const ratio = pairedRatio([of(2), of(1)], ({ stepsPerSecond }) => stepsPerSecond);
      return ratio === undefined ? [] : [{ peer, pace, one: steps(of(1)), two: steps(of(2)), ratio }];
    }),
  );
}
