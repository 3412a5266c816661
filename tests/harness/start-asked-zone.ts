import { resolve } from "node:path";
import { type Agent, type AskRoutesDeps, createA2aRoutes, createMcpRoutes } from "@crosszone/execution";
import { close, createHttpServer, listen, readBearer } from "@crosszone/service-kit";
import { onTestFinished } from "vitest";
import { type ExecutionOptions, startExecution } from "./start-execution.ts";
import type { LogLine } from "./start-process.ts";
import { writeAgentsFile } from "./temp-file.ts";

export interface AskedZoneOptions {
  readonly agents?: readonly Agent[];
  /** The zone's agents elsewhere: their names and URLs. */
  readonly registered?: Readonly<Record<string, string>>;
  /** URL of its database. Default: in memory. */
  readonly database?: string;
  readonly limits?: ExecutionOptions["limits"];
  readonly env?: Readonly<Record<string, string>>;
  /** How long a call of MCP is held, milliseconds. */
  readonly holdMs?: number;
}

const cli = resolve(import.meta.dirname, "../../packages/cli/src/main.ts");

/** Returns how a client of MCP starts the bridge of the command line to a zone. */
export const mcpServe = (url: string, token = "ci") => ({
  command: process.execPath,
  args: ["--conditions=@crosszone/source", cli, "mcp", "serve", "--url", url, "--token-env", "ASK"],
  env: { ASK: token, NODE_NO_WARNINGS: "1" },
});

export const agentThat = (name: string, run: Agent["run"]): Agent => ({ name, description: "", skills: [], run });

/**
 * Starts a zone that programs ask over A2A and MCP, with the agents of its registry. A token is the name of a program, and `wrong` is refused.
 * Ends with the test.
 */
export async function startAskedZone(options: AskedZoneOptions) {
  const { agents, registered = {}, database, limits, env, holdMs = 25_000 } = options;
  const log: LogLine[] = [];
  const served = { url: "" };
  // An agent elsewhere can be added to it later: two zones can't know the URL of each other before they start.
  const agentsFile = writeAgentsFile(
    Object.entries(registered).map(([name, url]) => ({
      name,
      url,
      auth: { type: "bearer" as const, token: "env:AGENT_SECRET_ZONE" },
    })),
  );
  const execution = await startExecution({
    ...(agents !== undefined && { agents }),
    token: "a-test-token-of-thirty-two-letters",
    database,
    limits,
    env: { AGENTS_FILE: agentsFile, AGENT_ORIGINS: "http://127.0.0.1:*", AGENT_SECRET_ZONE: "zone", ...env },
    log,
  });
  const deps: AskRoutesDeps = {
    ask: execution.app.ask,
    authenticate: async (request, response) => {
      const name = readBearer(request.headers.authorization);
      if (name !== undefined && name !== "wrong") return { actor: `token:${name}`, agents: ["*"], openTasks: 50 };
      response.writeHead(401, { "www-authenticate": "Bearer" }).end("{}");
      return undefined;
    },
    emit: () => undefined,
    publicUrl: () => served.url,
    limits: { maxBytes: 1 << 20, maxDepth: 64, maxWaitMs: 1_000 },
    version: "1.0.0",
    pageKey: new Uint8Array(32),
  };
  const [a2a, mcp] = [
    createA2aRoutes(deps),
    createMcpRoutes({ ...deps, limits: { ...deps.limits, maxWaitMs: holdMs } }),
  ];
  const server = createHttpServer(
    (request, response) => {
      const { url = "/" } = request;
      request.url = url.replace(/^\/(a2a(?=\/)|mcp)/, "") || "/";
      void (url.startsWith("/mcp") ? mcp : a2a)(request, response, () => response.writeHead(404).end("{}"));
    },
    { onBadRequest: execution.app.badRequest },
  );
  served.url = (await listen(server, { host: "127.0.0.1", port: 0 })).url;
  onTestFinished(async () => {
    await execution.stop();
    await close(server, { deadlineMs: 100 });
  });
  return {
    execution,
    urlOf: (agent: string) => `${served.url}/a2a/${agent}/`,
    mcp: `${served.url}/mcp`,
    log,
    agentsFile,
  };
}
