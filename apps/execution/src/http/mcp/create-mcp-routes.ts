import { errorTable, ZoneError } from "@crosszone/contracts";
import { readTraceparent } from "@crosszone/service-kit/tracing";
import { Server, type ServerContext, type Result } from "@modelcontextprotocol/server";
import { errorForCallers } from "../../database/open-execution-database.ts";
import type { AskRoutesDeps } from "../ask-routes-deps.ts";
import { createMcpRoute, type McpRequest } from "./create-mcp-route.ts";
import { clientOf, hopsOf, type McpCall, tasksExtension } from "./mcp-call.ts";
import { serveTools, type ToolsDeps } from "./serve-tools.ts";
import { z } from "zod";
import type { AskedTask } from "../../ask/asked-task.ts";
import { isFinal } from "../../tasks/task.ts";
import { taskOf } from "./deliver-task.ts";
import { answerElicited, canAnswer, elicitationsOf } from "./elicitation.ts";
import { refuse } from "./error-words.ts";
import { openWords, resultOf } from "./tool-result.ts";

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
  const { asker, correlationId, call } = request;
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
    request: { asker, surface: "mcp", correlationId, traceparent: traceparentOf(context, request), call },
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

const params = z.looseObject({ taskId: z.string() });

/**
 * Serves the extension `io.modelcontextprotocol/tasks`. Each task of the program is a task of MCP with the same id.
 * https://github.com/modelcontextprotocol/ext-tasks
 */
function serveTasks(server: Server, { callOf, failed }: Pick<ToolsDeps, "callOf" | "failed">): void {
  const serve = (
    method: string,
    run: (call: McpCall, taskId: string, context: ServerContext) => Promise<Result>,
  ): void =>
    server.setRequestHandler(method, { params }, ({ taskId }, context) =>
      run(callOf(context), taskId, context).catch((error: unknown) => refuse(failed(error))),
    );
  serve("tasks/get", async (call, taskId) => detailedTask(await call.ask.find(call.asker, taskId), call));
  serve("tasks/update", async (call, taskId, { mcpReq }) => {
    await answerElicited(call, await call.ask.find(call.asker, taskId), mcpReq.inputResponses);
    return {};
  });
  serve("tasks/cancel", async ({ ask, asker }, taskId) => {
    const { state } = await ask.find(asker, taskId);
    if (!isFinal(state)) await ask.cancelCall(asker, taskId);
    return {};
  });
}

/** Returns a task with its result, or with what its client can answer. */
function detailedTask(task: AskedTask, { asker: { actor }, client }: McpCall): Result {
  const { state, inputs } = task;
  const shown = taskOf(task);
  if (state === "canceled") return { ...shown, status: "cancelled" };
  const inputRequests = elicitationsOf(task, actor, client);
  if (Object.keys(inputRequests).length > 0) return { ...shown, status: "input_required", inputRequests };
  // Without elicitation only a model can answer, by a tool, and a model reads only results.
  if (isFinal(state) || inputs.some((input) => canAnswer(input, actor)))
    return { ...shown, status: "completed", result: { resultType: "complete", ...resultOf(task, actor) } };
  return { ...shown, ...(inputs.length > 0 && { statusMessage: openWords(task, actor) }) };
}
