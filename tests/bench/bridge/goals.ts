import type { GoalResult } from "../goals.ts";
import type { BridgeFigures } from "./measure.ts";
import { busNames, type BusName, type PeerName } from "./peers.ts";
import { points, type Point } from "./plan.ts";
import { ratioOf, samplesAt, summariseFairness, summariseProtocols } from "./summary.ts";

const busTitles = { sqlite: "SQLite", postgres: "PostgreSQL", kafka: "Kafka" } as const;

interface RatioGoal {
  readonly pair: readonly [PeerName, PeerName];
  readonly point: Point;
  readonly atLeast: Readonly<Record<BusName, number>>;
  readonly goal: (atLeast: string) => string;
}

const [atOnce, in20Ms] = points as [Point, Point];

/** On Kafka the loop keeps nothing itself: the message stays on the topic. */
const ofLoop = { sqlite: 0.7, postgres: 0.7, kafka: 0.6 } as const;
const ofSerial = { sqlite: 10, postgres: 10, kafka: 10 } as const;

const ratioGoals: readonly RatioGoal[] = [
  {
    pair: ["bridge", "loop"],
    point: atOnce,
    atLeast: ofLoop,
    goal: (least) => `≥ ${least} of the loop, agents that answer at once`,
  },
  {
    pair: ["bridge", "loop"],
    point: in20Ms,
    atLeast: ofLoop,
    goal: (least) => `≥ ${least} of the loop, agents that answer in 20 ms`,
  },
  {
    pair: ["bridge", "serial"],
    point: in20Ms,
    atLeast: ofSerial,
    goal: (least) => `≥ ${least} × one at a time, agents that answer in 20 ms`,
  },
];

/** The requirement's limits of a translation at p95, microseconds. */
const [requestUs, responseUs] = [5_000, 10_000];
/** How much larger a process may be with a long queue, MB. */
const growthMb = 64;

/** Judges what was measured. Reported, never enforced: machines differ. */
export function judgeBridge(figures: Omit<BridgeFigures, "skipped">): GoalResult[] {
  const { samples, fairness, protocols, backlogs, translation } = figures;
  const ratios = busNames.flatMap((bus) =>
    ratioGoals.flatMap(({ pair, point, atLeast, goal }) => {
      const at = samplesAt(samples, bus, point);
      const value = ratioOf(at, pair);
      const cpu = ratioOf(at, pair, "cpuUs");
      if (value === undefined || cpu === undefined) return [];
      const least = atLeast[bus];
      const words = goal(least < 1 ? least.toFixed(2) : String(least));
      return [{ goal: `${busTitles[bus]} ${words}`, value, met: value >= least, byCpu: 1 / cpu }];
    }),
  );
  const fair = summariseFairness(fairness).filter(({ peer }) => peer === "bridge");
  const worst = (pick: (one: (typeof translation)[number]) => number): number => Math.max(...translation.map(pick));
  return [
    ...ratios,
    ...fair.map(({ bus, p99Ratio }) =>
      atMost(`${busTitles[bus]}: p99 of fast agents with slow ones ≤ 1.25 × without`, p99Ratio, 1.25),
    ),
    ...summariseProtocols(protocols).map(({ bus, ratio, byCpu }) => ({
      goal: `N2, ${busTitles[bus]}: jsonrpc-2.0 ≥ 0.95 of simple-a2a`,
      value: ratio,
      met: ratio >= 0.95,
      byCpu,
    })),
    ...backlogs.map(({ bus, tasks, rssBefore, rssWith }) =>
      atMost(
        `${busTitles[bus]}: with ${tasks} tasks that wait the process is ≤ ${growthMb} MB larger`,
        (rssWith - rssBefore) / 1_048_576,
        growthMb,
      ),
    ),
    ...(translation.length === 0
      ? []
      : [
          atMost(
            "N1: a request of any size is made in ≤ 5 ms at p95",
            worst(({ request }) => request.p95Us) / 1_000,
            requestUs / 1_000,
          ),
          atMost(
            "N1: an answer of any size is read in ≤ 10 ms at p95",
            worst(({ response }) => response.p95Us) / 1_000,
            responseUs / 1_000,
          ),
        ]),
  ];
}

const atMost = (goal: string, value: number, limit: number): GoalResult => ({ goal, value, met: value <= limit });
