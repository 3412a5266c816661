import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { startProcess } from "./start-process.ts";

/** Asks an agent at a zone without a token, and returns the final result or error of the task, however long that takes. */
export async function askZone(
  url: string,
  params: { readonly agent: string; readonly text: string; readonly thread_ts?: string },
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

/** The execution zone as its own process on a free port of loopback, without a token. Ends with the test. */
export async function startOpenExecution(env: Record<string, string> = {}): Promise<{ url: string }> {
  return startProcess({
    cwd: resolve(import.meta.dirname, "../../apps/execution"),
    args: ["--conditions=@crosszone/source", "src/main.ts"],
    env: { EXECUTION_PORT: "0", EXECUTION_TOKEN: "", ...env },
  });
}
