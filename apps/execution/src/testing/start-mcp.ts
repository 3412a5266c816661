import type { RequestListener } from "node:http";
import { close, createHttpServer, listen } from "@crosszone/service-kit";
import { Client, StreamableHTTPClientTransport, type ClientOptions } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import type { Agent } from "../agents/agent.ts";
import type { Asker } from "../ask/asker.ts";
import type { AskRoutesDeps } from "../http/ask-routes-deps.ts";
import { createMcpRoutes } from "../http/mcp/create-mcp-routes.ts";
import { startZone, type ZoneOptions } from "./start-zone.ts";

export type TestMcp = Awaited<ReturnType<typeof startMcp>>;

interface PostOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

export interface McpOptions extends ZoneOptions {
  /** What each program may ask; all of them may ask every agent when absent. */
  readonly programs?: Readonly<Record<string, Partial<Asker>>>;
  readonly holdMs?: number;
  readonly mcpLimits?: Partial<AskRoutesDeps["limits"]>;
}

/** Starts a zone with `/mcp`, whose tokens are the names of programs. Ends with the test. */
export async function startMcp(agents: readonly Agent[], options: McpOptions = {}) {
  const { programs, holdMs = 25_000, mcpLimits, ...zoneOptions } = options;
  const zone = await startZone(agents, { taskDeadlineMs: 120_000, ...zoneOptions });
  const rejected: { actor: string; because: string }[] = [];
  const routes = createMcpRoutes({
    ask: zone.app.ask,
    authenticate: async (request, response) => {
      const name = /^Bearer (\w+)$/.exec(request.headers.authorization ?? "")?.[1];
      const grant = programs === undefined ? {} : programs[name ?? ""];
      if (name !== undefined && grant !== undefined)
        return { actor: `token:${name}`, agents: ["*"], openTasks: 100, ...grant };
      response.writeHead(401, { "www-authenticate": "Bearer" }).end("{}");
      return undefined;
    },
    emit: (...event: readonly unknown[]) => void zone.log.push({ event }),
    publicUrl: () => "http://127.0.0.1",
    limits: { maxBytes: 1_000_000, maxDepth: 64, maxWaitMs: holdMs, ...mcpLimits },
    version: "1.2.3",
    pageKey: new Uint8Array(),
    rejected: ({ actor }, _surface, { because }) => rejected.push({ actor, because }),
  });
  const listener: RequestListener = (request, response) => void routes(request, response, () => response.destroy());
  const server = createHttpServer(listener, { onBadRequest: zone.app.badRequest });
  const { url } = await listen(server, { host: "127.0.0.1", port: 0 });
  onTestFinished(async () => void (await close(server, { deadlineMs: 100 })));
  const endpoint = `${url}/mcp`;
  return {
    zone,
    url: endpoint,
    /** Ends every connection, as a process that stops. */
    cut: () => close(server, { deadlineMs: 0 }),
    /** What the routes reported as not allowed. */
    rejected,
    /** Connects the official client as a program. */
    connect: async (program: string, clientOptions: ClientOptions = { versionNegotiation: { mode: "auto" } }) => {
      const client = new Client({ name: "test", version: "1" }, clientOptions);
      const requestInit = { headers: { authorization: `Bearer ${program}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(endpoint), { requestInit }));
      onTestFinished(() => client.close());
      return client;
    },
    /** Sends one message as a program, without a client. */
    post: (program: string, message: unknown, { headers = {}, signal }: PostOptions = {}) =>
      fetch(endpoint, {
        method: "POST",
        ...(signal && { signal }),
        body: typeof message === "string" || message instanceof Uint8Array ? message : JSON.stringify(message),
        headers: {
          authorization: `Bearer ${program}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headers,
        },
      }),
  };
}
