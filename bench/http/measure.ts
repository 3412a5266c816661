import { isDeepStrictEqual } from "node:util";
import { withDatabase, type Databases } from "../kit/databases.ts";
import { bestOf } from "../kit/rounds.ts";
import { spawnWorker, type Worker } from "../kit/worker.ts";
import type { ClientName } from "./clients.ts";
import type { LoadResult, Until } from "./closed-loop.ts";
import type { LoadOrder } from "./load-worker.ts";
import { answerText, idPlace, requestText, sizeNames, successResult, type Dialect, type SizeName } from "./messages.ts";
import { engineOf, servers, type ServerName, type ServerUnderTest } from "./servers.ts";

/** What a measurement needs. */
export interface Bench {
  readonly load: Worker;
  readonly databases: Databases;
  /** Before each measurement: a number of requests, or a time if they take longer. */
  readonly warmUp: Until;
  /** Windows of a measurement, of which the best counts. */
  readonly windows: number;
  readonly windowMs: number;
}

/** Connections of the load, and calls in flight of a client. */
export const connections = 10;

/** One server, one size, one round. */
export interface ServerSample {
  readonly server: ServerName;
  readonly size: SizeName;
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
  return withDatabase(databases, engineOf(server), async ({ url }) => {
    const workers: Worker[] = [];
    const start = (): Worker => {
      const worker = spawnWorker("http/server-worker.ts", { args: [server, url], side: "server" });
      workers.push(worker);
      return worker;
    };
    try {
      return await work(start(), start);
    } finally {
      for (const worker of workers) await worker.stop();
    }
  });
}

/** Measures a server, each size after a warm-up. Throws when an answer was wrong. */
export function measureServer(server: ServerName, round: number, bench: Bench): Promise<ServerSample[]> {
  const { load, databases, warmUp, windows, windowMs } = bench;
  const { dialect, headers } = servers[server];
  return withServer(server, databases, async (worker) => {
    const samples: ServerSample[] = [];
    const url = await worker.call<string>("listen");
    await checkServer(server, url, servers[server]);
    await load.call("open", { url, connections });
    // A load that spins would take the core that a database needs.
    const spins = engineOf(server) !== "postgres";
    for (const size of sizeNames) {
      const run = (until: Until): Promise<LoadResult> =>
        runLoad(load, server, { dialect, headers, expects: answerText, spins, size, until });
      const measured = async () => {
        await worker.call("startCpu");
        const { requests, seconds, p50Us, p99Us } = await run({ ms: windowMs });
        const cpu = await worker.call<number>("stopCpu");
        return { requestsPerSecond: requests / seconds, cpuUs: cpu / requests, p50Us, p99Us };
      };
      await run(warmUp);
      const best = await bestOf(windows, measured, ({ requestsPerSecond }) => requestsPerSecond);
      samples.push({ server, size, round, ...best });
    }
    await load.call("close");
    return samples;
  });
}

async function runLoad(load: Worker, server: string, order: LoadOrder): Promise<LoadResult> {
  const result = await load.call<LoadResult>("run", order, (order.until.ms ?? 0) + 60_000);
  if (result.wrong === 0) return result;
  throw new Error(`${server} gave ${result.wrong} wrong answers, such as: ${result.firstWrong}`);
}

/** Sends a server one request of each size. Throws unless the answers are right to the last member that counts. */
async function checkServer(name: string, url: string, { dialect, headers }: ServerUnderTest): Promise<void> {
  for (const size of sizeNames) {
    const id = crypto.randomUUID();
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: requestText(dialect, size).replace(idPlace, id),
    });
    const text = await response.text();
    const isRight = response.status === 200 && isAnswer(JSON.parse(text) as AnyAnswer, id, dialect);
    if (!isRight) throw new Error(`${name} gives a wrong answer to ${size}: ${response.status} ${text.slice(0, 500)}`);
  }
}

interface A2aMessage {
  readonly role?: unknown;
  readonly parts?: readonly { readonly text?: unknown }[];
}

interface AnyAnswer {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly result?: {
    readonly status?: unknown;
    readonly response_text?: unknown;
    readonly message?: A2aMessage;
    readonly task?: { readonly status?: { readonly state?: unknown; readonly message?: A2aMessage } };
  };
}

function isAnswer({ jsonrpc, id, result }: AnyAnswer, sentId: string, dialect: Dialect): boolean {
  if (jsonrpc !== "2.0" || id !== sentId) return false;
  if (dialect !== "a2a")
    return isDeepStrictEqual({ status: result?.status, response_text: result?.response_text }, successResult());
  const { state = "TASK_STATE_COMPLETED", message = result?.message } = result?.task?.status ?? {};
  return state === "TASK_STATE_COMPLETED" && message?.role === "ROLE_AGENT" && message.parts?.[0]?.text === answerText;
}

/** One client in one round. */
export interface ClientSample {
  readonly client: ClientName;
  /** CPU time of the client's process, microseconds a call. */
  readonly cpuUs: number;
}

/** Measures a client in a fresh process against a bare server. Throws when an answer was wrong. */
export async function measureClient(name: ClientName, { warmUp, windows, windowMs }: Bench): Promise<ClientSample> {
  const server = spawnWorker("http/server-worker.ts", { args: ["bare"], side: "server" });
  const client = spawnWorker("http/client-worker.ts", { args: [name], side: "load" });
  const run = (until: Until): Promise<number> => client.call<number>("run", until, 60_000);
  const window = async (): Promise<number> => {
    await client.call("startCpu");
    const calls = await run({ ms: windowMs });
    return (await client.call<number>("stopCpu")) / calls;
  };
  try {
    await client.call("open", { url: await server.call<string>("listen"), connections });
    await run(warmUp);
    const cpuUs = await bestOf(windows, window, (us) => -us);
    await client.call("close");
    return { client: name, cpuUs };
  } finally {
    await Promise.all([client.stop(), server.stop()]);
  }
}
