import { withDatabase, type Databases } from "../kit/databases.ts";
import { bestOf } from "../kit/rounds.ts";
import { withWorkers, type Worker } from "../kit/worker.ts";
import type { LoadResult, Until } from "./closed-loop.ts";
import type { LoadOrder } from "./load-worker.ts";
import { answerText, requestText } from "./messages.ts";
import { engineOf, servers, type ServerName } from "./servers.ts";

/** What a measurement needs. */
export interface Bench {
  readonly load: Worker;
  readonly databases: Databases;
  /** Connections of the load. */
  readonly connections: number;
  /** Before each measurement: a number of requests, or a time if they take longer. */
  readonly warmUp: Until;
  /** Windows of a measurement, of which the best counts. */
  readonly windows: number;
  readonly windowMs: number;
}

/** One server in one round. */
export interface ServerSample {
  readonly server: ServerName;
  readonly round: number;
  readonly requestsPerSecond: number;
  /** CPU time of the server's process, microseconds a request. */
  readonly cpuUs: number;
  readonly p50Us: number;
  readonly p99Us: number;
}

/** Starts a server for some work, in a fresh process on an empty database. `start` starts another process on the same database. */
export function withServer<T>(
  server: ServerName,
  databases: Databases,
  work: (worker: Worker, start: () => Worker) => Promise<T>,
): Promise<T> {
  return withDatabase(databases, engineOf(server), ({ url }) =>
    withWorkers((startWorker) => {
      const start = (): Worker => startWorker("http/server-worker.ts", { args: [server, url], side: "server" });
      return work(start(), start);
    }),
  );
}

/** Measures a server after a warm-up. Throws when an answer was wrong. */
export function measureServer(server: ServerName, round: number, bench: Bench): Promise<ServerSample> {
  const { load, databases, connections, warmUp, windows, windowMs } = bench;
  const { dialect, headers } = servers[server];
  return withServer(server, databases, async (worker) => {
    const url = await worker.call<string>("listen");
    await load.call("open", { url, connections });
    const taskId = dialect === "a2a-get" ? await sendMessage(url, headers) : undefined;
    // A load that spins would take the core that a database needs.
    const spins = engineOf(server) !== "postgres";
    const run = (until: Until): Promise<LoadResult> =>
      runLoad(load, server, { dialect, headers, taskId, expects: answerText, spins, until });
    const measured = async () => {
      await worker.call("startCpu");
      const { requests, seconds, p50Us, p99Us } = await run({ ms: windowMs });
      const cpu = await worker.call<number>("stopCpu");
      return { requestsPerSecond: requests / seconds, cpuUs: cpu / requests, p50Us, p99Us };
    };
    await run(warmUp);
    const best = await bestOf(windows, measured, ({ requestsPerSecond }) => requestsPerSecond);
    await load.call("close");
    return { server, round, ...best };
  });
}

/** Returns the id of a task that has ended. */
async function sendMessage(url: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const sent = { "content-type": "application/json", ...headers };
  const response = await fetch(url, { method: "POST", headers: sent, body: requestText("a2a") });
  const { result } = (await response.json()) as { readonly result: { readonly task: { readonly id: string } } };
  return result.task.id;
}

async function runLoad(load: Worker, server: string, order: LoadOrder): Promise<LoadResult> {
  const result = await load.call<LoadResult>("run", order, (order.until.ms ?? 0) + 60_000);
  if (result.wrong === 0) return result;
  throw new Error(`${server} gave ${result.wrong} wrong answers, such as: ${result.firstWrong}`);
}
