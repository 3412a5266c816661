import { Pool } from "undici";
import { paramsOf } from "../messages.ts";
import type { BenchClient, ClientOptions } from "./clients.ts";
import { textOfAnswer, toRequest } from "./plain-json.ts";

/** undici's pool and JSON, nothing else: what a client on it can cost at least. */
export function createPoolClient({ url, connections }: ClientOptions): BenchClient {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections });
  const headers = { "content-type": "application/json" };
  const params = paramsOf("300 B");
  return {
    call: async () => {
      const { body } = await pool.request({ method: "POST", path: pathname, headers, body: toRequest(params) });
      return textOfAnswer(await body.json());
    },
    close: () => pool.close(),
  };
}
