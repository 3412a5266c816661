import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import type { ExecuteTaskParams, JsonRpcResponse } from "@crosszone/contracts";
import { tune } from "@crosszone/testkit/tune";
import { startProcess, type LogLine, type ZoneProcess } from "./start-process.ts";

export type TaskProcess = Awaited<ReturnType<typeof startTaskProcess>>;

/** Starts an execution zone as a process on a database that others may use too. Ends with the test. */
export async function startTaskProcess(url: string, env: Record<string, string> = {}) {
  const log: LogLine[] = [];
  const variables = { ...databaseEnv(url), ...env };
  const zone = await startOpenExecution(
    tune({ SYNC_WINDOW_MS: 0, TASK_LEASE_MS: 1_000, STOP_GRACE_MS: 0 }, variables),
    (line) => void log.push(line),
  );
  /** Sends a request. Resolves with its result or rejects with its error. */
  const call = async (method: string, params: object, id: string = randomUUID()) => {
    const body = JSON.stringify({ jsonrpc: "2.0", method, params, id });
    const headers = { "content-type": "application/json" };
    const answer = (await (
      await fetch(`${zone.url}/rpc`, { method: "POST", headers, body })
    ).json()) as JsonRpcResponse;
    if ("error" in answer) throw Object.assign(new Error(answer.error.message), answer.error);
    return answer.result as Record<string, unknown>;
  };
  return {
    ...zone,
    log: log as readonly LogLine[],
    call,
    /** Asks a question whose task outlasts the request. Resolves with the task's id. */
    accept: async (text: string, id?: string) => {
      const { task_id } = await call("execute_task", { channel: "C1", text, bot_token: "handle" }, id);
      return String(task_id);
    },
    /** Resolves with the result of a task, or rejects with its error. */
    result: async (task_id: string) => {
      for (;;) {
        const result = await call("get_async_task_result", { task_id, wait_ms: 5_000 });
        if (result["status"] !== "working") return result;
      }
    },
  };
}

/** Returns the variables that name the database of a zone's process. */
export function databaseEnv(url: string): Record<string, string> {
  // The zone names the file itself.
  return url.startsWith("sqlite:") ? { DATA_DIR: resolve(url.slice("sqlite:".length), "..") } : { DATABASE_URL: url };
}

/** Asks an agent at a process and returns the task's id. */
export async function askAgent(rpc: TaskProcess, agent: string, text: string): Promise<string> {
  const params = { channel: "C1", text, bot_token: "handle", agent };
  return String((await rpc.call("execute_task", params))["task_id"]);
}

/** Starts the execution zone as a process on a free port of loopback, without a token. Ends with the test. */
export function startOpenExecution(
  env: Record<string, string> = {},
  onLine?: (line: LogLine) => void,
): Promise<ZoneProcess> {
  return startProcess({
    cwd: resolve(import.meta.dirname, "../../apps/execution"),
    args: ["--conditions=@crosszone/source", "src/main.ts"],
    env: { EXECUTION_PORT: "0", EXECUTION_TOKEN: "", ...env },
    onLine,
  });
}

/** Asks an agent at a zone without a token. Resolves with the final result or error of the task. */
export async function askZone(
  url: string,
  params: Partial<ExecuteTaskParams> & { readonly agent: string; readonly text: string },
): Promise<unknown> {
  const call = async (method: string, sent: object): Promise<{ readonly result?: Answer }> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: randomUUID(), method, params: sent });
    const headers = { "content-type": "application/json" };
    return (await (await fetch(`${url}/rpc`, { method: "POST", headers, body })).json()) as never;
  };
  let answer = await call("execute_task", { channel: "C1", bot_token: "none", ...params });
  while (answer.result?.status === "accepted" || answer.result?.status === "working")
    answer = await call("get_async_task_result", { task_id: answer.result.task_id, wait_ms: 5_000 });
  return answer;
}

interface Answer {
  readonly status: string;
  readonly task_id: string;
}
