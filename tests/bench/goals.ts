import type { Samples } from "./measure.ts";
import type { SizeName } from "./messages.ts";
import type { ServerName } from "./servers/servers.ts";
import { ratioOf, type Summary } from "./summary.ts";

/** A goal and how it was met. */
export interface GoalResult {
  goal: string;
  value: number;
  met: boolean;
  /** The same ratio by CPU time, which a busy machine disturbs less. */
  byCpu?: number;
}

interface RatioGoal {
  pair: readonly [ServerName, ServerName];
  size: SizeName;
  atLeast: number;
  goal: string;
}

const ratioGoals: readonly RatioGoal[] = [
  { pair: ["core", "bare"], size: "300 B", atLeast: 0.78, goal: "core ≥ 0.78 of bare at 300 B" },
  { pair: ["core", "bare"], size: "16 KB", atLeast: 0.85, goal: "core ≥ 0.85 of bare at 16 KB" },
  { pair: ["core", "jayson"], size: "300 B", atLeast: 1.5, goal: "core ≥ 1.5 × jayson on Express" },
  { pair: ["core", "json-rpc-2.0"], size: "300 B", atLeast: 1.7, goal: "core ≥ 1.7 × json-rpc-2.0 on Express" },
  { pair: ["core", "a2a-task"], size: "300 B", atLeast: 4.4, goal: "core ≥ 4.4 × @a2a-js/sdk, answering a task" },
  { pair: ["edge", "bare"], size: "300 B", atLeast: 0.6, goal: "edge ≥ 0.60 of bare at 300 B" },
  { pair: ["edge", "bare"], size: "16 KB", atLeast: 0.7, goal: "edge ≥ 0.70 of bare at 16 KB" },
  {
    pair: ["execution-sqlite", "bare"],
    size: "300 B",
    atLeast: 0.35,
    goal: "execution zone with a durable task ≥ 0.35 of bare at 300 B",
  },
];

/** Judges what was measured by the project's goals. They are reported, never enforced: machines differ. */
export function judge(samples: Samples, summary: Summary): GoalResult[] {
  const ratios = ratioGoals.flatMap(({ goal, pair, size, atLeast }) => {
    const ratio = ratioOf(samples, size, pair);
    return ratio ? [{ goal, value: ratio.byRequests, met: ratio.byRequests >= atLeast, byCpu: ratio.byCpu }] : [];
  });
  const step = summary.steps.find(({ size }) => size === "300 B");
  const client = summary.clients.find((row) => row.client === "our-client");
  return [
    ...ratios,
    ...atMost("client builds a request of 300 B in ≤ 5 µs", step?.buildUs, 5),
    ...atMost("client reads an answer of 300 B in ≤ 10 µs", step?.parseUs, 10),
    ...atMost("client takes ≤ 45 µs CPU a call", client?.cpuUs, 45),
  ];
}

function atMost(goal: string, value: number | undefined, limit: number): GoalResult[] {
  return value === undefined ? [] : [{ goal, value, met: value <= limit }];
}
