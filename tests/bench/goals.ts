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

const ratioGoals: readonly { peer: ServerName; size: SizeName; atLeast: number; goal: string }[] = [
  { peer: "bare", size: "300 B", atLeast: 0.78, goal: "core ≥ 0.78 of bare at 300 B" },
  { peer: "bare", size: "16 KB", atLeast: 0.85, goal: "core ≥ 0.85 of bare at 16 KB" },
  { peer: "jayson", size: "300 B", atLeast: 1.5, goal: "core ≥ 1.5 × jayson on Express" },
  { peer: "json-rpc-2.0", size: "300 B", atLeast: 1.7, goal: "core ≥ 1.7 × json-rpc-2.0 on Express" },
  { peer: "a2a-task", size: "300 B", atLeast: 4.4, goal: "core ≥ 4.4 × @a2a-js/sdk, answering a task" },
];

/** Judges what was measured by the project's goals. They are reported, never enforced: machines differ. */
export function judge(samples: Samples, summary: Summary): GoalResult[] {
  const ratios = ratioGoals.flatMap(({ goal, peer, size, atLeast }) => {
    const ratio = ratioOf(samples, size, ["core", peer]);
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
