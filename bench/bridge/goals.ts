import { atLeast, atMost, type GoalResult } from "../kit/goals.ts";
import { ratioOf, samplesAt, summarizeFairness, summarizeProtocols, type BridgeFigures } from "./figures.ts";
import { atOnce, buses, busNames, in20Ms, type BusName, type PeerName, type Point } from "./plan.ts";

/** On Kafka the loop stores nothing itself: the message stays on the topic. */
export const leastOfLoop = { sqlite: 0.7, postgres: 0.7, kafka: 0.6 } as const;
const leastOfSerial = { sqlite: 10, postgres: 10, kafka: 10 } as const;

interface RatioGoal {
  readonly other: PeerName;
  readonly point: Point;
  readonly limits: Readonly<Record<BusName, number>>;
  readonly words: string;
}

const ratioGoals: readonly RatioGoal[] = [
  { other: "loop", point: atOnce, limits: leastOfLoop, words: "of the loop, agents that answer at once" },
  { other: "loop", point: in20Ms, limits: leastOfLoop, words: "of the loop, agents that answer in 20 ms" },
  { other: "serial", point: in20Ms, limits: leastOfSerial, words: "× one at a time, agents that answer in 20 ms" },
];

/** How much larger a process may be with a long queue, MB. */
const growthMb = 64;

/** Compares the measurements with the goals. Goals are reported, never enforced: machines differ. */
export function judgeBridge(figures: Omit<BridgeFigures, "skipped">): GoalResult[] {
  const { samples, fairness, protocols, backlogs, translation } = figures;
  const p95Ms = (of: "request" | "response"): number | undefined =>
    translation.length === 0 ? undefined : Math.max(...translation.map((cost) => cost[of].p95Us)) / 1_000;
  return [
    ...busNames.flatMap((bus) => ratioGoals.flatMap((goal) => judgeRatio(samples, bus, goal))),
    ...summarizeFairness(fairness)
      .filter(({ peer }) => peer === "bridge")
      .flatMap(({ bus, p99Ratio }) =>
        atMost(`${buses[bus].short}: p99 of fast agents with slow ones ≤ 1.25 × without`, p99Ratio, 1.25),
      ),
    ...summarizeProtocols(protocols).flatMap(({ bus, ratio, byCpu }) =>
      atLeast(`N2, ${buses[bus].short}: jsonrpc-2.0 ≥ 0.95 of simple-a2a`, { value: ratio, byCpu }, 0.95),
    ),
    ...backlogs.flatMap(({ bus, tasks, rssBefore, rssWith }) =>
      atMost(
        `${buses[bus].short}: with ${tasks} tasks that wait the process is ≤ ${growthMb} MB larger`,
        (rssWith - rssBefore) / 1_048_576,
        growthMb,
      ),
    ),
    ...atMost("N1: a request of any size is made in ≤ 5 ms at p95", p95Ms("request"), 5),
    ...atMost("N1: an answer of any size is read in ≤ 10 ms at p95", p95Ms("response"), 10),
  ];
}

function judgeRatio(samples: BridgeFigures["samples"], bus: BusName, goal: RatioGoal): GoalResult[] {
  const { other, point, limits, words } = goal;
  const at = samplesAt(samples, bus, point);
  const cpu = ratioOf(at, ["bridge", other], "cpuUs");
  const limit = limits[bus];
  const found = { value: ratioOf(at, ["bridge", other]), byCpu: cpu && 1 / cpu };
  return atLeast(`${buses[bus].short} ≥ ${limit < 1 ? limit.toFixed(2) : limit} ${words}`, found, limit);
}
