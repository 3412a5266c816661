import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createAgent, type AgentOptions, type Handler } from "@crosszone/agent";
import { onTestFinished } from "vitest";

/** Starts an agent of the kit for TypeScript on a free port, and returns its URL. Ends with the test. */
export async function startKitAgent(handler: Handler, options: Partial<AgentOptions> = {}): Promise<string> {
  const { listener } = createAgent({ name: "Kit", description: "Is tested.", ...options }, handler);
  const server = createServer(listener);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
