import { errorTable, ZoneError } from "@crosszone/contracts";
import { readTraceparent } from "@crosszone/service-kit/tracing";
import { Server, type ServerContext } from "@modelcontextprotocol/server";
import { errorForCallers } from "../../database/open-execution-database.ts";
import type { AskRoutesDeps } from "../ask-routes-deps.ts";
import { createMcpRoute, type McpRequest } from "./create-mcp-route.ts";
import { clientOf, hopsOf, type McpCall, tasksExtension } from "./mcp-call.ts";
import { serveTasks } from "./task-methods.ts";
import { serveTools } from "./serve-tools.ts";

/** How long clients can use a list of tools, milliseconds. A call is judged by the agents and grants of its own time. */
const listTtlMs = 60_000;

const instructions =
  "Asks agents and runs workflows. Long work returns a task_id: call get_task with it until the state is final. " +
  "Send the context_id of a result to continue its conversation.";

/** Serves `/mcp`: the agents and workflows that a program may ask, as tools. */
export function createMcpRoutes(deps: AskRoutesDeps) {
  return createMcpRoute({ ...deps, createServer: (request, era) => createAskServer(deps, request, era === "modern") });
}

function createAskServer(deps: AskRoutesDeps, request: McpRequest, isModern: boolean): Server {
  const { ask, emit, version, limits } = deps;
  const { asker, correlationId } = request;
  const server = new Server(
    { name: "crosszone", title: "Crosszone", version },
    {
      capabilities: { tools: {}, ...(isModern && { extensions: { [tasksExtension]: {} } }) },
      instructions,
      cacheHints: { "tools/list": { ttlMs: listTtlMs, cacheScope: "private" } },
      // A state is the id of a task. Only its own program finds the task, so a state needs no signature.
      requestState: { verify: (taskId: string) => ask.find(asker, taskId) },
    },
  );
  const callOf = (context: ServerContext): McpCall => ({
    ask,
    asker,
    request: { asker, surface: "mcp", correlationId, traceparent: traceparentOf(context, request) },
    client: clientOf(context),
    hops: hopsOf(context),
    whileGranted: request.whileGranted,
    holdMs: limits.maxWaitMs,
  });
  const failed = (cause: unknown): ZoneError => {
    const known = errorForCallers(cause);
    if (known instanceof ZoneError && known.kind !== "internal") return known;
    const { code } = errorTable.internal;
    emit("http_failed", { kind: "internal", code, correlation_id: correlationId, cause });
    return new ZoneError("internal", { correlation_id: correlationId });
  };
  const rejected = (): void => deps.rejected?.(asker, "mcp", { action: "ask.tool", because: "unknown tool" });
  serveTools(server, { callOf, failed, rejected });
  if (isModern) serveTasks(server, { callOf, failed });
  return server;
}

const traceparentOf = ({ mcpReq }: ServerContext, { traceparent }: McpRequest): string | undefined => {
  const { _meta } = mcpReq;
  const sent = _meta?.["traceparent"];
  return readTraceparent(typeof sent === "string" ? sent : traceparent);
};
