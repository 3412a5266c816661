import { fixed, tableSection } from "../kit/markdown.ts";
import { mediansOf, pairedRatio } from "../kit/statistics.ts";
import type { ServerSample } from "./measure.ts";
import type { ServerName } from "./servers.ts";

/** Connections of the load. */
export const fewConnections = 10;

/** The servers for programs, each after its peer, with few and with many programs at once. */
export const programRuns = [fewConnections, 32].flatMap((connections) =>
  (["a2a-postgres", "ask-postgres", "a2a-postgres-get", "ask-postgres-get"] as const).map(
    (server) => [server, connections] as const,
  ),
);

/** The listener for programs with and without an audit log. */
const auditPairs = [
  ["SQLite, a question", "ask-sqlite"],
  ["PostgreSQL, a question", "ask-postgres"],
  ["SQLite, a question that asks a person", "asks-sqlite"],
  ["PostgreSQL, a question that asks a person", "asks-postgres"],
] as const;
export const auditedServers = auditPairs.flatMap(([, server]) => [server, `${server}-bare`] as const);

type Samples = readonly ServerSample[];
export const samplesOf = (samples: Samples, name: ServerName): Samples =>
  samples.filter(({ server }) => server === name);
export const throughput = ({ requestsPerSecond }: ServerSample): number => requestsPerSecond;
const medianThroughput = (samples: Samples): string =>
  fixed(mediansOf(samples, ["requestsPerSecond"]).requestsPerSecond, 0);

export function programsSection(samples: readonly (ServerSample & { readonly connections: number })[]): string {
  const rows = programRuns.flatMap(([own, connections]) => {
    if (!own.startsWith("ask")) return [];
    const peer = own.replace("ask", "a2a") as ServerName;
    const alike = samples.filter((sample) => sample.connections === connections);
    const method = own.endsWith("-get") ? "GetTask" : "SendMessage";
    const pair = [samplesOf(alike, own), samplesOf(alike, peer)] as const;
    return [{ name: `\`${method}\`, ${connections} connections`, pair }];
  });
  return tableSection({
    title: "Programs",
    text: "The A2A server and @a2a-js/sdk 1.3 on the same PostgreSQL. `SendMessage` waits for the answer of a stored task; `GetTask` reads one that has ended.",
    rows,
    columns: [
      ["request", ({ name }) => name],
      ["req/s", ({ pair: [own] }) => medianThroughput(own)],
      ["SDK req/s", ({ pair: [, peer] }) => medianThroughput(peer)],
      ["of the SDK", ({ pair }) => fixed(pairedRatio(pair, throughput), 2)],
    ],
  });
}

export function auditSection(samples: Samples): string {
  return tableSection({
    title: "The audit log",
    text: "A question is no act; to ask a person is one, which is appended in the commit that stores it, and signed. A question should have at least 0.95 of the throughput without the log.",
    rows: auditPairs.map(([name, server]) => ({
      name,
      pair: [samplesOf(samples, server), samplesOf(samples, `${server}-bare`)] as const,
    })),
    columns: [
      ["A2A server", ({ name }) => name],
      ["req/s", ({ pair: [own] }) => medianThroughput(own)],
      ["req/s without", ({ pair: [, bare] }) => medianThroughput(bare)],
      ["of without", ({ pair }) => fixed(pairedRatio(pair, throughput), 2)],
    ],
  });
}
