import type { GoalResult } from "../goals.ts";
import type { CpuPerToken } from "./measure-cpu.ts";
import type { StreamFigures } from "./measure.ts";
import type { Plan } from "./options.ts";

export const sumOf = (cpu: CpuPerToken): number => Object.values(cpu).reduce((sum, value) => sum + value, 0);

/** How much memory grew from the middle third of a run to its last, by their medians; MB. */
export function growthOf(rss: readonly number[]): number {
  const third = Math.floor(rss.length / 3);
  const middle = (values: readonly number[]): number =>
    values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
  return middle(rss.slice(-third)) - middle(rss.slice(third, -third));
}

/** Judges what was measured by the project's own goals. Reported, never enforced: machines differ. */
export function judgeStreams(
  { streams, stalled }: Plan,
  { cpu, slack, first, rss, standing }: StreamFigures,
): GoalResult[] {
  const { relay, agent } = cpu;
  return [
    atMost("CPU a token, while all stream ≤ 2.5 × the bare relay", sumOf(agent.steady) / sumOf(relay.steady), 2.5),
    atMost(
      "CPU a token, questions and answers included ≤ 2.5 × the bare relay",
      sumOf(agent.whole) / sumOf(relay.whole),
      2.5,
    ),
    atMost("first token through the wall ≤ 20 ms at p99", first.link.p99, 20),
    atMost(`RSS of execution, MB that it grows by with ${stalled} stalled readers ≤ 16`, growthOf(rss.stalled), 16),
    exactly(`readers that stand still to the end = ${stalled}`, standing, stalled),
    exactly(`an agent's final texts in Slack that are equal, byte for byte = ${streams}`, slack.agent.right, streams),
    exactly(
      `the assistant's final texts in Slack that are equal, byte for byte = ${streams}`,
      slack.assistant.right,
      streams,
    ),
  ];
}

const atMost = (goal: string, value: number, limit: number): GoalResult => ({ goal, value, met: value <= limit });
const exactly = (goal: string, value: number, wanted: number): GoalResult => ({ goal, value, met: value === wanted });
