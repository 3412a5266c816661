import type { GoalResult } from "../goals.ts";
import type { Pace } from "./chains.ts";
import type { WorkflowFigures } from "./measure.ts";
import { fairPeerOf, type PeerName } from "./peers.ts";
import { overheadRatioOf, ratioOf, samplesAt, summariseLoops, summariseScaling } from "./summary.ts";

const titles = { sqlite: "SQLite", postgres: "PostgreSQL", kafka: "Kafka" } as const;
/** By peer: least part of the steps of by hand, most overhead of one run beside by hand, least gain of a second process. */
const limits = {
  sqlite: { steps: 1.5, overhead: 4, scaling: 1.8 },
  postgres: { steps: 0.9, overhead: 4, scaling: 1.7 },
  kafka: { steps: 0.5, overhead: 8, scaling: 1.6 },
} as const satisfies Record<keyof typeof titles, unknown>;
const ours = Object.keys(titles) as (keyof typeof titles)[];

/** Judges what was measured by the project's own goals. Reported, never enforced: machines differ. */
export function judgeWorkflows(figures: Omit<WorkflowFigures, "skipped">): GoalResult[] {
  const loops = summariseLoops(figures.loops);
  return ours.flatMap((name) => {
    const fair = fairPeerOf(name);
    const loop = loops.find(({ peer }) => peer === name)?.toFair;
    return [
      ...(fair === undefined ? [] : besideFair(figures, [name, fair])),
      ...atLeast(`${titles[name]}: a loop ≥ 0.50 × as fast as by hand with a row a step`, loop, 0.5),
      ...(name === "postgres" ? besideDbos(figures) : []),
      ...scaled(figures, name),
    ];
  });
}

type Figures = Pick<WorkflowFigures, "samples" | "scaling">;

function besideFair({ samples }: Figures, pair: readonly [keyof typeof titles, PeerName]): GoalResult[] {
  const title = titles[pair[0]];
  const { steps, overhead } = limits[pair[0]];
  const paces: readonly Pace[] = ["at once", "in 20 ms"];
  return [
    ...paces.flatMap((pace) => {
      const at = samplesAt(samples, { pace, runs: 64 });
      const cpu = ratioOf(at, pair, "cpuUs");
      const goal = `${title}: 64 runs, steps ≥ ${steps.toFixed(2)} of by hand with a row a step, agents that answer ${pace}`;
      return atLeast(goal, ratioOf(at, pair), steps).map((result) => withCpu(result, cpu));
    }),
    ...paces.flatMap((pace) => {
      const at = samplesAt(samples, { pace, runs: 1 });
      const goal = `${title}: one run, overhead a step ≤ ${overhead} × by hand with a row a step, agents that answer ${pace}`;
      return atMost(goal, overheadRatioOf(at, pair), overhead);
    }),
  ];
}

function besideDbos({ samples }: Figures): GoalResult[] {
  const pair = ["postgres", "dbos"] as const;
  const many = samplesAt(samples, { pace: "at once", runs: 64 });
  const one = samplesAt(samples, { pace: "at once", runs: 1 });
  const cpu = ratioOf(many, pair, "cpuUs");
  return [
    ...atLeast("PostgreSQL: 64 runs, steps ≥ 2.50 of DBOS", ratioOf(many, pair), 2.5).map((goal) => withCpu(goal, cpu)),
    ...atMost("PostgreSQL: one run, overhead a step ≤ 1.2 × DBOS", overheadRatioOf(one, pair), 1.2),
  ];
}

/** Where agents are waited for, a second process has all it needs; where CPU is, only as far as the machine has it for others too. */
function scaled({ scaling }: Figures, name: keyof typeof titles): GoalResult[] {
  const rows = summariseScaling(scaling);
  const ratio = (peer: PeerName, pace: Pace): number | undefined =>
    rows.find((row) => row.peer === peer && row.pace === pace)?.ratio;
  const machine = ratio(fairPeerOf(name) ?? name, "at once") ?? 0;
  const { scaling: least } = limits[name];
  const goal = (pace: Pace): GoalResult[] =>
    atLeast(`${titles[name]}: 2 processes ≥ ${least} × 1, agents that answer ${pace}`, ratio(name, pace), least);
  return [...goal("in 20 ms"), ...(machine < least ? [] : goal("at once"))];
}

const withCpu = (goal: GoalResult, cpu: number | undefined): GoalResult =>
  cpu === undefined ? goal : { ...goal, byCpu: 1 / cpu };

const atLeast = (goal: string, value: number | undefined, limit: number): GoalResult[] =>
  value === undefined ? [] : [{ goal, value, met: value >= limit }];

const atMost = (goal: string, value: number | undefined, limit: number): GoalResult[] =>
  value === undefined ? [] : [{ goal, value, met: value <= limit }];
