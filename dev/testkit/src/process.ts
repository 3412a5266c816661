import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { ExecuteTaskParams, JsonRpcResponse } from "@crosszone/contracts";
import { onTestFinished, vi } from "vitest";
import { programArgs } from "./bundle.ts";
import { tune } from "./tune.ts";

export type Variables = Readonly<Record<string, string>>;

/** A parsed line of a zone's log. */
export type LogLine = Record<string, unknown>;

interface ProcessOptions {
  /** Working directory. */
  readonly cwd: string;
  /** Default: Node. */
  readonly program?: string;
  /** Arguments of the program. For Node: its options, then the module. */
  readonly args: readonly string[];
  /** Added to the environment of this process. Without DATA_DIR, data is in a folder that is removed with the test. */
  readonly env: Variables;
  /** Called with every line of its log. */
  readonly onLine?: (line: LogLine) => void;
}

export type ZoneProcess = Awaited<ReturnType<typeof startProcess>>;

/** Starts a zone as a process. Resolves when it logs that it listens. Ends with the test. */
export async function startProcess({ program = process.execPath, cwd, args, env, onLine }: ProcessOptions) {
  const folder = await mkdtemp(join(tmpdir(), "crosszone-process-"));
  const child = spawn(program, args, {
    cwd,
    // oxlint-disable-next-line node/no-process-env -- a process of a test gets what the test has
    env: { ...process.env, DATA_DIR: folder, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  /** Resolves with its exit code, or with null if it was killed. */
  const ended = once(child, "exit").then(([code]) => code as number | null);
  /** Sends SIGTERM and resolves with its exit code. */
  const stop = async (): Promise<number | null> => {
    child.kill("SIGTERM");
    return ended;
  };
  onTestFinished(async () => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  });
  // Reading continues after this line: a full pipe would block the process.
  const listening = Promise.withResolvers<string>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    // The last line of a killed process may be cut.
    if (!line.endsWith("}")) return;
    const logged = JSON.parse(line) as LogLine & { url?: string };
    if (logged["event"] === "listening" && logged.url !== undefined) listening.resolve(logged.url);
    onLine?.(logged);
  });
  void ended.then((code) => listening.reject(new Error(`the process in ${cwd} ended with ${code} before it listened`)));
  const signal = (name: NodeJS.Signals): void => void child.kill(name);
  return { url: await listening.promise, pid: Number(child.pid), stop, signal, ended };
}

interface ZoneProcessOptions {
  /** The lines of its log are added to it. */
  readonly log?: LogLine[];
  /** Called with every line of its log. */
  readonly onLine?: (line: LogLine) => void;
  /** Options of Node. */
  readonly node?: readonly string[];
  /** Arguments of Node that start it from its source. Default: its bundle. */
  readonly args?: readonly string[];
}

/** Starts a zone as in production, on a free port of loopback. Ends with the test. */
export async function startZoneProcess(
  zone: "execution" | "verification",
  env: Variables,
  { log, onLine = (line) => log?.push(line), node = [], args }: ZoneProcessOptions = {},
): Promise<ZoneProcess> {
  return startProcess({
    cwd: resolve(import.meta.dirname, "../../../apps", zone),
    args: [...node, ...(args ?? (await programArgs(`apps/${zone}/src/main.ts`)))],
    env: { [`${zone.toUpperCase()}_PORT`]: "0", ...env },
    onLine,
  });
}

export type ExecutionProcess = Awaited<ReturnType<typeof startExecutionProcess>>;

/** Starts the execution zone as a process, which accepts everyone without an EXECUTION_TOKEN. Ends with the test. */
export async function startExecutionProcess(env: Variables = {}, log: LogLine[] = []) {
  const zone = await startZoneProcess("execution", { EXECUTION_TOKEN: "", ...env }, { log });
  /** Resolves with the URL of the surface for programs. */
  const askUrl = (): Promise<string> =>
    vi.waitUntil(() => log.find(({ event }) => event === "ask_listening")?.["url"] as string | undefined);
  return { ...zone, askUrl, log: log as readonly LogLine[], ...callerOf(zone.url) };
}

/** Starts such a process on a database that others may use too. Tasks outlast their requests, and those of a dead process are soon resumed. */
export const startOnDatabase = (url: string, env: Variables = {}): Promise<ExecutionProcess> =>
  startExecutionProcess(
    tune({ SYNC_WINDOW_MS: 0, TASK_LEASE_MS: 1_000, STOP_GRACE_MS: 0 }, { ...databaseEnv(url), ...env }),
  );

/** Returns the variables that name the database of a zone's process. */
export function databaseEnv(url: string): Record<string, string> {
  // The zone names the file itself.
  return url.startsWith("sqlite:") ? { DATA_DIR: resolve(url.slice("sqlite:".length), "..") } : { DATABASE_URL: url };
}

interface Answer {
  readonly status: string;
  readonly task_id: string;
}

/** Calls a zone without a token, as verification does. */
export function callerOf(url: string) {
  const post = async (method: string, params: object, id: string = randomUUID()): Promise<JsonRpcResponse> => {
    const body = JSON.stringify({ jsonrpc: "2.0", method, params, id });
    const headers = { "content-type": "application/json" };
    return (await (await fetch(`${url}/rpc`, { method: "POST", headers, body })).json()) as JsonRpcResponse;
  };
  /** Sends a request. Resolves with its result or rejects with its error. */
  const call = async (method: string, params: object, id?: string) => {
    const answer = await post(method, params, id);
    if ("error" in answer) throw Object.assign(new Error(answer.error.message), answer.error);
    return answer.result as Record<string, unknown>;
  };
  return {
    call,
    /** Asks a question whose task outlasts the request. Resolves with the task's id. */
    accept: async (text: string, { id, ...more }: { id?: string } & Partial<ExecuteTaskParams> = {}) =>
      String((await call("execute_task", { channel: "C1", text, bot_token: "handle", ...more }, id))["task_id"]),
    /** Resolves with the result of a task, or rejects with its error. */
    result: async (task_id: string) => {
      for (;;) {
        const result = await call("get_async_task_result", { task_id, wait_ms: 5_000 });
        if (result["status"] !== "working") return result;
      }
    },
    /** Asks an agent. Resolves with the final result or error of the task. */
    ask: async (agent: string, text: string, more: Partial<ExecuteTaskParams> = {}) => {
      const open = ["accepted", "working"];
      let answer = await post("execute_task", { channel: "C1", bot_token: "none", agent, text, ...more });
      for (;;) {
        const { status = "", task_id } = "result" in answer ? (answer.result as Partial<Answer>) : {};
        if (!open.includes(status)) return answer as { readonly result?: unknown; readonly error?: unknown };
        answer = await post("get_async_task_result", { task_id, wait_ms: 5_000 });
      }
    },
  };
}
