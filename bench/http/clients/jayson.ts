import { Agent } from "node:http";
import jayson from "jayson";
import { paramsOf } from "../../requests/messages.ts";
import type { BenchClient, ClientOptions } from "../clients.ts";
import { textOfAnswer } from "./plain.ts";

/** jayson's HTTP client, with an agent that keeps connections: without one it is slower still. */
export function createJaysonClient({ url, connections }: ClientOptions): BenchClient {
  const { hostname, port, pathname } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const client = jayson.Client.http({ hostname, port, path: pathname, agent });
  const params = paramsOf("300 B");
  return {
    call: async () => {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      client.request("execute_task", params, (error: Error | null | undefined, answer: unknown) =>
        error ? reject(error) : resolve(answer),
      );
      return textOfAnswer(await promise);
    },
    close: async () => agent.destroy(),
  };
}
