import { isDeepStrictEqual } from "node:util";
import { withDatabase, type Databases } from "../kit/databases.ts";
import { bestOf } from "../kit/rounds.ts";
import { spawnWorker, type Worker } from "../kit/worker.ts";
import type { LoadOrder } from "../requests/load-worker.ts";
import {
  answerText,
  idPlace,
  requestText,
  sizeNames,
  successResult,
  type Dialect,
  type SizeName,
} from "../requests/messages.ts";
import { runLoad, runMeasuredLoad } from "../requests/run-load.ts";
import type { Plan } from "./plan.ts";
import { engineOf, servers, type ServerName, type ServerUnderTest } from "./servers.ts";

/** One server, one size, one round. */
export interface ServerSample {
  readonly server: ServerName;
  readonly size: SizeName;
  readonly round: number;
  readonly requestsPerSecond: number;
  /** CPU time of the server's process, microseconds a request. */
  readonly cpuUs: number;
  /** Part of the time that the server's process was at work. Well below 1, the load or the machine was the limit. */
  readonly busy: number;
  readonly p50Us: number;
  readonly p99Us: number;
}

/** What a measurement needs. */
export interface Bench {
  readonly plan: Plan;
  readonly load: Worker;
  readonly databases: Databases;
  readonly cpuProf: string | undefined;
}

/** Starts a server for some work, in a fresh process on an empty database. `start` starts another process on the same database. */
export function withServer<T>(
  server: ServerName,
  { databases, cpuProf }: Pick<Bench, "databases" | "cpuProf">,
  work: (worker: Worker, start: () => Worker) => Promise<T>,
): Promise<T> {
  return withDatabase(databases, engineOf(server), async ({ url }) => {
    const workers: Worker[] = [];
    const start = (): Worker => {
      const profile = cpuProf && `${cpuProf}/${server}`;
      const worker = spawnWorker("http/server-worker.ts", { args: [server, url], side: "server", cpuProf: profile });
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

/** Measures a server, each size after a warm-up; the best of several short windows counts. */
export function measureServer(server: ServerName, round: number, bench: Bench): Promise<ServerSample[]> {
  const { plan, load } = bench;
  const { dialect, headers } = servers[server];
  return withServer(server, bench, async (worker) => {
    const samples: ServerSample[] = [];
    const url = await worker.call<string>("listen");
    await checkServer(server, url, servers[server]);
    await load.call("open", { url, connections: plan.connections });
    // A load that spins would take the core that a database needs.
    const spins = engineOf(server) !== "postgres";
    for (const size of sizeNames) {
      const order = { dialect, headers, expects: answerText, spins, size };
      const window: LoadOrder = { ...order, until: { ms: plan.windowMs } };
      await runLoad(load, server, { ...order, until: plan.warmUp[size] });
      const best = await bestOf(
        plan.windows,
        () => runMeasuredLoad(load, { name: server, worker }, window),
        ({ requestsPerSecond }) => requestsPerSecond,
      );
      samples.push({ server, size, round, ...best });
    }
    await load.call("close");
    return samples;
  });
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
