import { paramsOf } from "../messages.ts";
import type { BenchClient, ClientOptions } from "./clients.ts";
import { textOfAnswer, toRequest } from "./plain-json.ts";

/** Node's fetch and JSON. It keeps connections on its own. */
export function createFetchClient({ url }: ClientOptions): BenchClient {
  const headers = { "content-type": "application/json" };
  const params = paramsOf("300 B");
  return {
    call: async () => {
      const response = await fetch(url, { method: "POST", headers, body: toRequest(params) });
      return textOfAnswer(await response.json());
    },
    close: async () => undefined,
  };
}
