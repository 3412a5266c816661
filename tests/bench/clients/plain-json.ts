import type { ExecuteTaskParams } from "@crosszone/contracts";

/** A request written with nothing but JSON. */
export function toRequest(params: ExecuteTaskParams): string {
  return JSON.stringify({ jsonrpc: "2.0", method: "execute_task", params, id: crypto.randomUUID() });
}

/** The answer's text, taken on trust. */
export function textOfAnswer(answer: unknown): string | undefined {
  return (answer as { result?: { response_text?: string } }).result?.response_text;
}
