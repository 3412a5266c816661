import { randomUUID } from "node:crypto";

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
