import { randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import { createMcpRoutes, type Agent } from "@crosszone/execution";
import { close, createHttpServer, listen } from "@crosszone/service-kit";
import { onTestFinished } from "vitest";
import { startExecution } from "./start-execution.ts";

/** The token of the program that may ask every agent. */
export const askToken = "program-token-of-the-test";

/** Starts an execution zone with MCP on a port of its own. Returns the endpoint. Ends with the test. */
export async function startMcpZone(agents: readonly Agent[], holdMs = 25_000): Promise<string> {
  const zone = await startExecution({ agents, token: randomUUID(), log: [] });
  const routes = createMcpRoutes({
    ask: zone.app.ask,
    authenticate: async ({ headers }, response) => {
      if (headers.authorization === `Bearer ${askToken}`) return { actor: "token:test", agents: ["*"], openTasks: 100 };
      response.writeHead(401, { "www-authenticate": "Bearer", "content-type": "application/json" }).end("{}");
      return undefined;
    },
    emit: () => undefined,
    publicUrl: () => "http://127.0.0.1",
    limits: { maxBytes: 1_000_000, maxDepth: 64, maxWaitMs: holdMs },
    version: "1.0.0",
    pageKey: new Uint8Array(32),
  });
  const listener: RequestListener = (request, response) => void routes(request, response, () => response.destroy());
  const server = createHttpServer(listener, { onBadRequest: zone.app.badRequest });
  const { url } = await listen(server, { host: "127.0.0.1", port: 0 });
  onTestFinished(async () => {
    await close(server, { deadlineMs: 500 });
    await zone.stop();
  });
  return `${url}/mcp`;
}
