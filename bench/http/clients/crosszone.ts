import { zoneMethods, type ZoneMethods } from "@crosszone/contracts";
import { createClient } from "@crosszone/jsonrpc";
import { createHttpsTransport } from "@crosszone/verification";
import { paramsOf } from "../../requests/messages.ts";
import type { BenchClient, ClientOptions } from "../clients.ts";

/** Our client over the verification zone's transport: checks parameters, id and result; has a time limit for each call. */
export function createCrosszoneClient({ url, connections }: ClientOptions): BenchClient {
  const transport = createHttpsTransport({ url, connections });
  const client = createClient<ZoneMethods>({ methods: zoneMethods, transport, timeoutMs: 10_000 });
  const params = paramsOf("300 B");
  return {
    call: async () => {
      const result = await client.call("execute_task", params);
      return result.status === "success" ? result.response_text : undefined;
    },
    close: () => transport.close(),
  };
}
