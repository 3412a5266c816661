import { atLeast, atMost, type GoalResult } from "../kit/goals.ts";
import type { Pace } from "./chains.ts";
import {
  overheadRatioOf,
  ratioOf,
  samplesAt,
  summarizeLoops,
  summarizeScaling,
  type WorkflowFigures,
} from "./figures.ts";
import { fairPeerOf, type PeerName } from "./plan.ts";

/**
 * By peer: the least part of the steps of by hand, the highest overhead of one run relative to by hand, the least gain of a second process.
 */
export const limits = {
  sqlite: { title: "SQLite", steps: 1.5, overhead: 4, scaling: 1.8 },
  postgres: { title: "PostgreSQL", steps: 0.9, overhead: 4, scaling: 1.7 },
  kafka: { title: "Kafka", steps: 0.5, overhead: 8, scaling: 1.6 },
} as const;

type OwnName = keyof typeof limits;
type Figures = Pick<WorkflowFigures, "samples" | "scaling">;

/** Compares the measurements with the project's goals. Goals are reported, never enforced: machines differ. */
export function judgeWorkflows(figures: Omit<WorkflowFigures, "skipped">): GoalResult[] {
  const loops = summarizeLoops(figures.loops);
  return (Object.keys(limits) as OwnName[]).flatMap((name) => {
    const loop = loops.find(({ peer }) => peer === name)?.toFair;
    return [
      ...besideFair(figures, name),
      ...atLeast(`${limits[name].title}: a loop ≥ 0.50 × as fast as by hand with a row a step`, loop, 0.5),
      ...(name === "postgres" ? besideDbos(figures) : []),
      ...scaled(figures, name),
    ];
  });
}

/** The ratio of the steps of 64 runs, also by CPU time. */
function stepsOf({ samples }: Figures, pace: Pace, pair: readonly [PeerName, PeerName]) {
  const at = samplesAt(samples, { pace, runs: 64 });
  const cpu = ratioOf(at, pair, "cpuUs");
  return { value: ratioOf(at, pair), byCpu: cpu && 1 / cpu };
}

const overheadOf = ({ samples }: Figures, pace: Pace, pair: readonly [PeerName, PeerName]): number | undefined =>
  overheadRatioOf(samplesAt(samples, { pace, runs: 1 }), pair);

const paces: readonly Pace[] = ["at once", "in 20 ms"];

function besideFair(figures: Figures, name: OwnName): GoalResult[] {
  const { title, steps, overhead } = limits[name];
  const pair = [name, fairPeerOf(name) ?? name] as const;
  return [
    ...paces.flatMap((pace) => {
      const goal = `${title}: 64 runs, steps ≥ ${steps.toFixed(2)} of by hand with a row a step, agents that answer ${pace}`;
      return atLeast(goal, stepsOf(figures, pace, pair), steps);
    }),
    ...paces.flatMap((pace) => {
      const goal = `${title}: one run, overhead a step ≤ ${overhead} × by hand with a row a step, agents that answer ${pace}`;
      return atMost(goal, overheadOf(figures, pace, pair), overhead);
    }),
  ];
}

function besideDbos(figures: Figures): GoalResult[] {
  const pair = ["postgres", "dbos"] as const;
  return [
    ...atLeast("PostgreSQL: 64 runs, steps ≥ 2.50 of DBOS", stepsOf(figures, "at once", pair), 2.5),
    ...atMost("PostgreSQL: one run, overhead a step ≤ 1.2 × DBOS", overheadOf(figures, "at once", pair), 1.2),
  ];
}

/** A second process gains in full where agents wait; where CPU decides, only as far as the machine lets other peers gain too. */
function scaled({ scaling }: Figures, name: OwnName): GoalResult[] {
  const rows = summarizeScaling(scaling);
  const ratio = (peer: PeerName, pace: Pace): number | undefined =>
    rows.find((row) => row.peer === peer && row.pace === pace)?.ratio;
  const machine = ratio(fairPeerOf(name) ?? name, "at once") ?? 0;
  const { title, scaling: least } = limits[name];
  const goal = (pace: Pace): GoalResult[] =>
    atLeast(`${title}: 2 processes ≥ ${least} × 1, agents that answer ${pace}`, ratio(name, pace), least);
  return [...goal("in 20 ms"), ...(machine < least ? [] : goal("at once"))];
}
