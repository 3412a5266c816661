import { setTimeout as wait } from "node:timers/promises";
import { chunkServers, chunksSection, measureChunks } from "./chunks.ts";
import { measureServer, type Bench, type ServerSample, withServer } from "./measure.ts";
import {
  auditedServers,
  auditSection,
  fewConnections,
  programRuns,
  programsSection,
  samplesOf,
  throughput,
} from "./programs.ts";
import { type ComparedName, comparedNames, engineOf, servers, type ServerName } from "./servers.ts";
import { defineBenchmark } from "../kit/benchmark.ts";
import { startDatabases } from "../kit/databases.ts";
import { fixed, paragraphs, tableSection } from "../kit/markdown.ts";
import { inRounds, measureEach } from "../kit/rounds.ts";
import { mediansOf, pairedRatio } from "../kit/statistics.ts";
import { spawnWorker } from "../kit/worker.ts";

export const http = defineBenchmark({
  title: "JSON-RPC servers",

  measure: async ({ rounds, isQuick }, progress) => {
    const databases = await startDatabases(new Set(comparedNames.map(engineOf)));
    const load = spawnWorker("http/load-worker.ts", { side: "load" });
    const bench: Bench = {
      load,
      databases,
      connections: fewConnections,
      warmUp: isQuick ? { requests: 500, ms: 1_000 } : { requests: 8_000, ms: 6_000 },
      windows: isQuick ? 2 : 10,
      windowMs: isQuick ? 60 : 120,
    };
    const durable = comparedNames.filter((name) => name.startsWith("execution-"));
    try {
      return {
        servers: await inRounds({ rounds, of: comparedNames, progress }, async (name, round) => [
          await measureServer(name, round, bench),
        ]),
        programs: await inRounds({ rounds, of: programRuns, progress }, async ([server, connections], round) => [
          { ...(await measureServer(server, round, { ...bench, connections })), connections },
        ]),
        audited: await inRounds({ rounds, of: auditedServers, progress }, async (name, round) => [
          await measureServer(name, round, bench),
        ]),
        chunks: await inRounds({ rounds, of: chunkServers, progress }, (name, round) =>
          measureChunks(name, { round, sizes: isQuick ? [100, 200, 400] : [1_000, 2_000, 4_000] }, bench),
        ),
        kills: await measureEach(
          { title: "kills", of: isQuick ? durable : [...durable, ...durable], progress },
          async (name) => [await surviveKill(name, bench)],
        ),
      };
    } finally {
      await load.stop();
      await databases.stop();
    }
  },

  render: (found) =>
    paragraphs(
      `${fewConnections} connections, one request of 300 B at a time on each.

- **Core** does the work of the other libraries: routing, the body, parse, validation of parameters and result, dispatch.
- **Edge** does the same behind the execution zone's token, limits, log line and metrics.
- **Execution zone** is the whole process. Unless in memory, each task and its end are flushed to the disk before the answer.
- **By hand**: bare \`node:http\` that commits a row before the work and changes it afterwards.
- **Of bare** compares requests a second, and CPU time, with bare \`node:http\` in the same round.`,
      serverSection(found.servers),
      programsSection(found.programs),
      auditSection(found.audited),
      chunksSection(found.chunks),
      tableSection({
        title: "Acknowledged tasks after a crash",
        text: "The server is killed under load, with PostgreSQL if that keeps its tasks, and started again.",
        rows: found.kills,
        columns: [
          ["server", ({ server }) => servers[server].title],
          ["acknowledged", ({ acknowledged }) => fixed(acknowledged, 0)],
          ["lost", ({ lost }) => fixed(lost, 0)],
        ],
      }),
    ),

  isBroken: ({ kills }) => kills.some(({ lost }) => lost > 0),
});

function serverSection(samples: readonly ServerSample[]): string {
  const of = (name: ServerName): readonly ServerSample[] => samplesOf(samples, name);
  return tableSection({
    title: "Requests and CPU time",
    rows: comparedNames.map((server) => ({
      server,
      ...mediansOf(of(server), ["requestsPerSecond", "cpuUs", "p50Us", "p99Us"]),
      toBare: pairedRatio([of(server), of("bare")], throughput),
      toBareByCpu: pairedRatio([of("bare"), of(server)], ({ cpuUs }) => cpuUs),
    })),
    columns: [
      ["server", ({ server }) => servers[server].title],
      ["req/s", ({ requestsPerSecond }) => fixed(requestsPerSecond, 0)],
      ["of bare", ({ toBare }) => fixed(toBare, 2)],
      ["CPU µs", ({ cpuUs }) => fixed(cpuUs, 1)],
      ["of bare by CPU", ({ toBareByCpu }) => fixed(toBareByCpu, 2)],
      ["p50 µs", ({ p50Us }) => fixed(p50Us, 0)],
      ["p99 µs", ({ p99Us }) => fixed(p99Us, 0)],
    ],
  });
}

/** What a crash left of the tasks that were acknowledged before it. */
export interface KillResult {
  readonly server: ComparedName;
  readonly acknowledged: number;
  /** Acknowledged tasks for which the server returns no result: neither working nor answered. */
  readonly lost: number;
}

/**
 * Kills a server in the middle of a load of 100 connections, with PostgreSQL if that keeps its tasks; starts them again and requests every
 * acknowledged task.
 */
export function surviveKill(server: ComparedName, bench: Bench): Promise<KillResult> {
  const { load, databases } = bench;
  return withServer(server, databases, async (worker, start) => {
    await load.call("open", { url: await worker.call<string>("listen"), connections: 100 });
    const { dialect, headers } = servers[server];
    const loading = load.call<string[]>("runUntilClosed", { dialect, headers });
    await wait(500 + Math.random() * 500);
    await worker.kill();
    if (engineOf(server) === "postgres") await databases.crashPostgres();
    const acknowledged = await loading;
    await load.call("close");
    if (acknowledged.length === 0) throw new Error(`${server} acknowledged nothing before it was killed`);
    const lost = await countLost(await start().call<string>("listen"), headers, acknowledged);
    return { server, acknowledged: acknowledged.length, lost };
  });
}

/** Requests each task, fifty at a time; counts those that are neither working nor answered. */
async function countLost(
  url: string,
  headers: Readonly<Record<string, string>>,
  taskIds: readonly string[],
): Promise<number> {
  const rest = [...taskIds];
  let lost = 0;
  const requestNext = async (): Promise<void> => {
    for (let task_id = rest.pop(); task_id !== undefined; task_id = rest.pop()) {
      const method = "get_async_task_result";
      const body = JSON.stringify({ jsonrpc: "2.0", method, params: { task_id }, id: task_id });
      const request = { method: "POST", headers: { "content-type": "application/json", ...headers }, body };
      const answer = (await (await fetch(url, request)).json()) as { result?: object };
      if (answer.result === undefined) lost += 1;
    }
  };
  await Promise.all(Array.from({ length: 50 }, requestNext));
  return lost;
}
