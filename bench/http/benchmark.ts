import { defineBenchmark } from "../kit/benchmark.ts";
import { startDatabases } from "../kit/databases.ts";
import { fixed, paragraphs, tableSection } from "../kit/markdown.ts";
import { inRounds, measureEach } from "../kit/rounds.ts";
import { mediansOf, pairedRatio } from "../kit/statistics.ts";
import { spawnWorker } from "../kit/worker.ts";
import { connections, measureServer, type Bench, type ServerSample } from "./measure.ts";
import { engineOf, serverNames, servers } from "./servers.ts";
import { surviveKill } from "./survive-kill.ts";

export const http = defineBenchmark({
  title: "JSON-RPC servers",

  measure: async ({ rounds, isQuick }, progress) => {
    const databases = await startDatabases(new Set(serverNames.map(engineOf)));
    const load = spawnWorker("http/load-worker.ts", { side: "load" });
    const bench: Bench = {
      load,
      databases,
      warmUp: isQuick ? { requests: 500, ms: 1_000 } : { requests: 8_000, ms: 6_000 },
      windows: isQuick ? 2 : 10,
      windowMs: isQuick ? 60 : 120,
    };
    const durable = serverNames.filter((name) => name.startsWith("execution-"));
    try {
      return {
        servers: await inRounds({ rounds, of: serverNames, progress }, async (name, round) => [
          await measureServer(name, round, bench),
        ]),
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
      `${connections} connections, one request of 300 B at a time on each.

- **Core** does the work of the other libraries: routing, the body, parse, validation of parameters and result, dispatch.
- **Edge** does the same work behind the execution zone's token, rate limit, limits of size and time, log line and metrics.
- **Execution zone** is the whole process. Each task and its end are flushed to the disk before the request is answered.
- **Of bare** compares requests a second, and CPU time, with bare \`node:http\` in the same round.`,
      serverSection(found.servers),
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
  const of = (name: string): ServerSample[] => samples.filter((sample) => sample.server === name);
  return tableSection({
    title: "Requests and CPU time",
    rows: serverNames.map((server) => ({
      server,
      ...mediansOf(of(server), ["requestsPerSecond", "cpuUs", "p50Us", "p99Us"]),
      toBare: pairedRatio([of(server), of("bare")], ({ requestsPerSecond }) => requestsPerSecond),
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
