import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { JsonRpcResponse } from "@crosszone/contracts";
import { tune } from "@crosszone/testkit/tune";
import { type LogLine, startProcess, type ZoneProcess } from "./start-process.ts";

/** Does something as a caller does that must not lose anything: again, while it is told that later may be better, or nobody answers. */
export async function retryCall<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const { data, code } = error as { code?: unknown; data?: { retryable?: boolean } };
      // What a task ended with is its end, however it is marked.
      if (code !== undefined && data?.retryable !== true) throw error;
      await delay(200);
    }
  }
}

/** How a task ended, once it has; the process that is asked may be another one each time. */
export async function endOf(rpc: () => TaskProcess, task_id: string): Promise<Record<string, unknown>> {
  for (;;) {
    const found = await retryCall(() => rpc().call("get_async_task_result", { task_id, wait_ms: 5_000 }));
    if (found["status"] !== "working") return found;
  }
}

export interface TaskProcess extends ZoneProcess {
  /** What it logged. */
  readonly log: readonly LogLine[];
  /** Sends a request; gives its result, or throws its error. */
  call(method: string, params: object, id?: string): Promise<Record<string, unknown>>;
  /** Asks something that takes longer than the answer is waited for; gives the task's id. */
  accept(text: string, id?: string): Promise<string>;
  /** Waits until a task has ended; gives its answer, or throws its error. */
  result(taskId: string): Promise<Record<string, unknown>>;
}

/** An execution zone as its own process on a database that others may use too. Ends with the test. */
export async function startTaskProcess(url: string, env: Record<string, string> = {}): Promise<TaskProcess> {
  const log: LogLine[] = [];
  const zone = await startProcess({
    cwd: resolve(import.meta.dirname, "../../apps/execution"),
    args: ["--conditions=@crosszone/source", "src/main.ts"],
    env: tune(
      { SYNC_WINDOW_MS: 0, TASK_LEASE_MS: 1_000 },
      {
        ...databaseEnv(url),
        EXECUTION_PORT: "0",
        EXECUTION_TOKEN: "",
        STOP_GRACE: "0",
        ...env,
      },
    ),
    onLine: (line) => void log.push(line),
  });
  const call: TaskProcess["call"] = async (method, params, id = randomUUID()) => {
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
    log,
    call,
    accept: async (text, id) => {
      const { task_id } = await call("execute_task", { channel: "C1", text, bot_token: "handle" }, id);
      return String(task_id);
    },
    result: async (task_id) => {
      for (;;) {
        const result = await call("get_async_task_result", { task_id, wait_ms: 5_000 });
        if (result["status"] !== "working") return result;
      }
    },
  };
}

/** The variables that lead a zone's process to a database. */
export function databaseEnv(url: string): Record<string, string> {
  // The zone names its own file.
  return url.startsWith("sqlite:") ? { DATA_DIR: resolve(url.slice("sqlite:".length), "..") } : { DATABASE_URL: url };
}
