import type { GoalResult } from "../goals.ts";
import { median } from "../statistics.ts";
import type { DurableSample } from "./measure-peer.ts";
import type { DurableFigures } from "./measure.ts";
import type { PeerName } from "./peers.ts";
import { ratioOf, samplesAt } from "./summary.ts";

interface RatioGoal {
  readonly pair: readonly [PeerName, PeerName];
  readonly atLeast: number;
  readonly goal: string;
}

const ratioGoals: readonly RatioGoal[] = [
  { pair: ["sqlite", "no-store"], atLeast: 0.4, goal: "SQLite ≥ 0.40 of no store" },
  { pair: ["postgres", "no-store"], atLeast: 0.4, goal: "PostgreSQL ≥ 0.40 of no store" },
  { pair: ["sqlite", "sqlite-single"], atLeast: 4, goal: "SQLite ≥ 4 × a commit a write" },
  { pair: ["postgres", "postgres-single"], atLeast: 2, goal: "PostgreSQL ≥ 2 × a commit a write" },
  { pair: ["postgres", "a2a-sdk"], atLeast: 1, goal: "PostgreSQL ahead of @a2a-js/sdk" },
];

/** Judges requests of 300 B that are answered as accepted, at 100 connections. Reported, never enforced: machines differ. */
export function judgeDurable({ samples, kills }: Pick<DurableFigures, "samples" | "kills">): GoalResult[] {
  const at = samplesAt(samples, { mode: "accepted", size: "300 B", connections: 100 });
  const ratios = ratioGoals.flatMap(({ goal, pair, atLeast }) => {
    const value = ratioOf(at, ...pair);
    return value === undefined ? [] : [{ goal, value, met: value >= atLeast }];
  });
  return [
    ...ratios,
    ...p50Goal(at, "sqlite", "SQLite"),
    ...p50Goal(at, "postgres", "PostgreSQL"),
    ...(kills.length === 0
      ? []
      : [{ goal: "acknowledged tasks lost after kill -9", value: lostOf(kills), met: lostOf(kills) === 0 }]),
  ];
}

export function lostOf(kills: DurableFigures["kills"]): number {
  return kills.reduce((sum, { lost }) => sum + lost, 0);
}

function p50Goal(at: readonly DurableSample[], peer: PeerName, title: string): GoalResult[] {
  const own = at.filter((sample) => sample.peer === peer);
  if (own.length === 0) return [];
  const value = median(own.map(({ p50Us }) => p50Us)) / 1_000;
  return [{ goal: `${title} p50 ≤ 4 ms`, value, met: value <= 4 }];
}
