import { atLeast, atMost, exactly, type GoalResult } from "../kit/goals.ts";
import { median, mediansOf, pairedRatio, sum } from "../kit/statistics.ts";
import type { DurableSample, SoakReading } from "./measure-peer.ts";
import { modes, peerNames, points, type Mode, type PeerName, type Point } from "./plan.ts";
import type { FlushCount, KillResult } from "./survive-kill.ts";

/** All that was measured, in the order in which it was. */
export interface DurableFigures {
  readonly samples: readonly DurableSample[];
  readonly flushes: readonly FlushCount[];
  readonly kills: readonly KillResult[];
  readonly soak: readonly SoakReading[];
}

/** The same server with a commit a write. */
const singles: Partial<Record<PeerName, PeerName>> = { sqlite: "sqlite-single", postgres: "postgres-single" };

/** One table for each measured mode and point. */
export const summarizeDurable = (samples: readonly DurableSample[]) =>
  modes.flatMap((mode) =>
    points.map((point) => {
      const at = samplesAt(samples, { mode, ...point });
      return { mode, ...point, rows: peerNames.flatMap((peer) => rowOf(at, peer)) };
    }),
  );

export type Table = ReturnType<typeof summarizeDurable>[number];

export function samplesAt(
  samples: readonly DurableSample[],
  { mode, size, connections }: Point & { readonly mode: Mode },
): DurableSample[] {
  return samples.filter((sample) => sample.mode === mode && sample.size === size && sample.connections === connections);
}

/** The medians over all rounds of one server at one point. */
function rowOf(at: readonly DurableSample[], peer: PeerName) {
  const own = at.filter((sample) => sample.peer === peer);
  if (own.length === 0) return [];
  const medians = mediansOf(own, ["requestsPerSecond", "cpuUs", "p50Us", "p99Us"]);
  const single = singles[peer];
  return [
    { peer, ...medians, toNoStore: ratioOf(at, peer, "no-store"), toSingle: single && ratioOf(at, peer, single) },
  ];
}

/** How many times as many requests one server answers as another. */
function ratioOf(at: readonly DurableSample[], one: PeerName, other: PeerName): number | undefined {
  const of = (name: PeerName): DurableSample[] => at.filter(({ peer }) => peer === name);
  return pairedRatio([of(one), of(other)], ({ requestsPerSecond }) => requestsPerSecond);
}

const ratioGoals: readonly (readonly [goal: string, one: PeerName, other: PeerName, limit: number])[] = [
  ["SQLite ≥ 0.40 of no store", "sqlite", "no-store", 0.4],
  ["PostgreSQL ≥ 0.40 of no store", "postgres", "no-store", 0.4],
  ["SQLite ≥ 4 × a commit a write", "sqlite", "sqlite-single", 4],
  ["PostgreSQL ≥ 2 × a commit a write", "postgres", "postgres-single", 2],
  ["PostgreSQL ahead of @a2a-js/sdk", "postgres", "a2a-sdk", 1],
];

/** Judges requests of 300 B that are answered as accepted, at 100 connections. Reported, never enforced: machines differ. */
export function judgeDurable({ samples, kills }: Pick<DurableFigures, "samples" | "kills">): GoalResult[] {
  const at = samplesAt(samples, { mode: "accepted", size: "300 B", connections: 100 });
  const p50Ms = (peer: PeerName): number | undefined => {
    const own = at.filter((sample) => sample.peer === peer);
    return own.length === 0 ? undefined : median(own.map(({ p50Us }) => p50Us)) / 1_000;
  };
  return [
    ...ratioGoals.flatMap(([goal, one, other, limit]) => atLeast(goal, ratioOf(at, one, other), limit)),
    ...atMost("SQLite p50 ≤ 4 ms", p50Ms("sqlite"), 4),
    ...atMost("PostgreSQL p50 ≤ 4 ms", p50Ms("postgres"), 4),
    ...exactly("acknowledged tasks lost after kill -9", kills.length === 0 ? undefined : lostOf(kills), 0),
  ];
}

export const lostOf = (kills: DurableFigures["kills"]): number => sum(kills.map(({ lost }) => lost));
