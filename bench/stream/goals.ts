import { atMost, exactly, type GoalResult } from "../kit/goals.ts";
import { sum } from "../kit/statistics.ts";
import type { CpuPerToken } from "./measure-cpu.ts";
import type { StreamFigures } from "./measure.ts";
import type { Plan } from "./streams.ts";

export const sumOf = (cpu: CpuPerToken): number => sum(Object.values(cpu));

/** How much memory grew from the middle third of a run to its last, by their medians; MB. */
export function growthOf(rss: readonly number[]): number {
  const third = Math.floor(rss.length / 3);
  const middle = (values: readonly number[]): number =>
    values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
  return middle(rss.slice(-third)) - middle(rss.slice(third, -third));
}

/** Compares the measurements with the project's goals. Goals are reported, never enforced: machines differ. */
export function judgeStreams(plan: Plan, { cpu, slack, first, rss, standing }: StreamFigures): GoalResult[] {
  const { streams, stalled } = plan;
  const ofRelay = (when: "steady" | "whole"): number => sumOf(cpu.agent[when]) / sumOf(cpu.relay[when]);
  const growth = growthOf(rss.stalled);
  return [
    ...atMost("CPU a token, while all stream ≤ 2.5 × the bare relay", ofRelay("steady"), 2.5),
    ...atMost("CPU a token, questions and answers included ≤ 2.5 × the bare relay", ofRelay("whole"), 2.5),
    ...atMost("first token through the wall ≤ 20 ms at p99", first.link.p99, 20),
    ...atMost(`RSS of execution, MB that it grows by with ${stalled} stalled readers ≤ 16`, growth, 16),
    ...exactly(`readers that stand still to the end = ${stalled}`, standing, stalled),
    ...(["agent", "assistant"] as const).flatMap((peer) => {
      const whose = peer === "agent" ? "an agent's" : "the assistant's";
      const goal = `${whose} final texts in Slack that are equal, byte for byte = ${streams}`;
      return exactly(goal, slack[peer].right, streams);
    }),
  ];
}
