import { ZoneError } from "@crosszone/contracts";
import type { Result, Server, ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { AskedTask } from "../../ask/asked-task.ts";
import { isFinal } from "../../tasks/task.ts";
import { taskOf } from "./deliver-task.ts";
import { answerElicited, canAnswer, elicitationsOf } from "./elicitation.ts";
import type { McpCall } from "./mcp-call.ts";
import { refuse } from "./error-words.ts";
import type { ToolsDeps } from "./serve-tools.ts";
import { openWords, resultOf } from "./tool-result.ts";

const params = z.looseObject({ taskId: z.string() });

/**
 * Serves the extension `io.modelcontextprotocol/tasks`. Each task of the program is a task of MCP with the same id.
 * https://github.com/modelcontextprotocol/ext-tasks
 */
export function serveTasks(server: Server, { callOf, failed }: Pick<ToolsDeps, "callOf" | "failed">): void {
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
    const task = await ask.find(asker, taskId);
    if (!isFinal(task.state)) await ask.cancel(asker, taskId).catch(unlessEnded);
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

function unlessEnded(error: unknown): void {
  if (!(error instanceof ZoneError && error.kind === "invalid_state_transition")) throw error;
}
