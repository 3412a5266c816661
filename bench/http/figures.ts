import { atLeast, atMost, type GoalResult } from "../kit/goals.ts";
import { median, mediansOf } from "../kit/statistics.ts";
import { sizeNames, type SizeName } from "../requests/messages.ts";
import { clientNames } from "./clients.ts";
import type { ClientSample, StepSample } from "./measure-clients.ts";
import type { ServerSample } from "./measure-servers.ts";
import { serverNames, type ServerName } from "./servers.ts";
import type { KillResult } from "./survive-kill.ts";

/** All that was measured, in the order in which it was. */
export interface Samples {
  readonly servers: readonly ServerSample[];
  readonly clients: readonly ClientSample[];
  readonly steps: readonly StepSample[];
  readonly kills: readonly KillResult[];
}

/** The medians of all rounds, for what was measured. */
export function summarize(samples: Samples) {
  const clients = clientNames.map((client) => samples.clients.filter((sample) => sample.client === client));
  const steps = sizeNames.map((size) => samples.steps.filter((sample) => sample.size === size));
  return {
    servers: sizeNames.flatMap((size) => serverNames.flatMap((server) => serverRow(samples, size, server) ?? [])),
    clients: clients.flatMap((own) => (own[0] ? [{ client: own[0].client, ...mediansOf(own, ["cpuUs"]) }] : [])),
    kills: samples.kills,
    steps: steps.flatMap((own) => (own[0] ? [{ size: own[0].size, ...mediansOf(own, ["buildUs", "parseUs"]) }] : [])),
  };
}

export type Summary = ReturnType<typeof summarize>;

function serverRow(samples: Samples, size: SizeName, server: ServerName) {
  const own = samples.servers.filter((sample) => sample.server === server && sample.size === size);
  const toBare = ratioOf(samples, size, [server, "bare"]);
  const medians = mediansOf(own, ["requestsPerSecond", "cpuUs", "busy", "p50Us", "p99Us"]);
  return toBare && { server, size, ...medians, toBare };
}

/**
 * How many times as much one server does as another: by requests in a second, and by CPU time for one. Compares within each round, where the
 * machine was the same for both, and returns the median of that.
 */
export function ratioOf(samples: Samples, size: SizeName, [one, other]: readonly [ServerName, ServerName]) {
  const of = (name: ServerName): ServerSample[] =>
    samples.servers.filter((sample) => sample.server === name && sample.size === size);
  const pairs = of(one).flatMap((mine) => {
    const theirs = of(other).find(({ round }) => round === mine.round);
    return theirs ? [{ mine, theirs }] : [];
  });
  if (pairs.length === 0) return undefined;
  return {
    byRequests: median(pairs.map(({ mine, theirs }) => mine.requestsPerSecond / theirs.requestsPerSecond)),
    byCpu: median(pairs.map(({ mine, theirs }) => theirs.cpuUs / mine.cpuUs)),
  };
}

const ratioGoals: readonly (readonly [goal: string, pair: readonly [ServerName, ServerName], SizeName, number])[] = [
  ["core ≥ 0.78 of bare at 300 B", ["core", "bare"], "300 B", 0.78],
  ["core ≥ 0.85 of bare at 16 KB", ["core", "bare"], "16 KB", 0.85],
  ["core ≥ 1.5 × jayson on Express", ["core", "jayson"], "300 B", 1.5],
  ["core ≥ 1.7 × json-rpc-2.0 on Express", ["core", "json-rpc-2.0"], "300 B", 1.7],
  ["core ≥ 4.4 × @a2a-js/sdk, answering a task", ["core", "a2a-task"], "300 B", 4.4],
  ["edge ≥ 0.60 of bare at 300 B", ["edge", "bare"], "300 B", 0.6],
  ["edge ≥ 0.70 of bare at 16 KB", ["edge", "bare"], "16 KB", 0.7],
  [
    "execution zone on PostgreSQL ≥ 1.0 × @a2a-js/sdk on PostgreSQL",
    ["execution-postgres", "a2a-postgres"],
    "300 B",
    1,
  ],
  ["execution zone with a durable task ≥ 0.35 of bare at 300 B", ["execution-sqlite", "bare"], "300 B", 0.35],
];

/** Compares the measurements with the project's goals. Goals are reported, never enforced: machines differ. */
export function judge(samples: Samples, summary: Summary): GoalResult[] {
  const step = summary.steps.find(({ size }) => size === "300 B");
  const client = summary.clients.find((row) => row.client === "our-client");
  return [
    ...ratioGoals.flatMap(([goal, pair, size, limit]) => {
      const ratio = ratioOf(samples, size, pair);
      return atLeast(goal, ratio && { value: ratio.byRequests, byCpu: ratio.byCpu }, limit);
    }),
    ...atMost("client builds a request of 300 B in ≤ 5 µs", step?.buildUs, 5),
    ...atMost("client reads an answer of 300 B in ≤ 10 µs", step?.parseUs, 10),
    ...atMost("client takes ≤ 45 µs CPU a call", client?.cpuUs, 45),
  ];
}
