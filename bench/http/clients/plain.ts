import type { ExecuteTaskParams } from "@crosszone/contracts";
import { paramsOf } from "../../requests/messages.ts";
import type { BenchClient, ClientOptions } from "../clients.ts";

const headers = { "content-type": "application/json" };

const toRequest = (params: ExecuteTaskParams): string =>
  JSON.stringify({ jsonrpc: "2.0", method: "execute_task", params, id: crypto.randomUUID() });

/** The answer's text, unchecked. */
export const textOfAnswer = (answer: unknown): string | undefined =>
  (answer as { result?: { response_text?: string } }).result?.response_text;

/** Node's fetch and JSON. It keeps connections on its own. */
export function createFetchClient({ url }: ClientOptions): BenchClient {
  const params = paramsOf("300 B");
  return {
    call: async () => {
      const response = await fetch(url, { method: "POST", headers, body: toRequest(params) });
      return textOfAnswer(await response.json());
    },
    close: async () => undefined,
  };
}

/** undici's pool and JSON, nothing else: the least that a client on it can cost. */
export async function createPoolClient({ url, connections }: ClientOptions): Promise<BenchClient> {
  const { Pool } = await import("undici");
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections });
  const params = paramsOf("300 B");
  return {
    call: async () => {
      const { body } = await pool.request({ method: "POST", path: pathname, headers, body: toRequest(params) });
      return textOfAnswer(await body.json());
    },
    close: () => pool.close(),
  };
}
