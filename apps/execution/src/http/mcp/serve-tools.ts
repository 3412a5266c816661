import type { ZoneError } from "@crosszone/contracts";
import {
  type CallToolRequest,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { AskedTask } from "../../ask/asked-task.ts";
import {
  type AgentTools,
  agentTools,
  askAgent,
  describeTool,
  isWorkflow,
  mostAgentTools,
  runWorkflow,
  schemaOf,
} from "./agent-tools.ts";
import { checkArguments } from "./check-arguments.ts";
import { type Delivered, deliverTask } from "./deliver-task.ts";
import { answerElicited } from "./elicitation.ts";
import { refuse } from "./error-words.ts";
import type { McpCall } from "./mcp-call.ts";
import { failureOf, resultOf } from "./tool-result.ts";
import { directoryTools, findZoneTool, taskTools, zoneToolNames } from "./zone-tools.ts";

export interface ToolsDeps {
  readonly callOf: (context: ServerContext) => McpCall;
  /** Returns what the client may know of an error. Reports an unexpected one. */
  readonly failed: (error: unknown) => ZoneError;
  /** Records that the program called a tool that it does not have. */
  readonly rejected: () => void;
}

/** Where clients find the idempotency key of a workflow's run. */
export const requestIdMeta = "crosszone/request_id";

/** Serves the tools of a program. A tool of an agent that it may not ask does not exist. */
export function serveTools(server: Server, { callOf, failed, rejected }: ToolsDeps): void {
  server.setRequestHandler("tools/list", (_request, context) =>
    toolsOf(callOf(context))
      .then(listTools)
      .catch((error: unknown) => refuse(failed(error))),
  );
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const call = callOf(context);
    const state = context.mcpReq.requestState<AskedTask>();
    try {
      if (state !== undefined) return await answerAndGoOn(call, state, context.mcpReq.inputResponses);
      const run = await findTool(call, params);
      if (run !== undefined) return await run();
    } catch (error) {
      const known = failed(error);
      if (known.kind === "unknown_agent") rejected();
      return failureOf(known);
    }
    rejected();
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
  });
}

const toolsOf = async ({ ask, asker }: McpCall): Promise<AgentTools> =>
  agentTools(await ask.agents(asker), zoneToolNames);

async function listTools({ agents, nameOf }: AgentTools): Promise<ListToolsResult> {
  const fixed = agents.length > mostAgentTools ? [...directoryTools, ...taskTools] : taskTools;
  const own = agents.length > mostAgentTools ? [] : agents;
  const described = await Promise.all(own.map((agent) => describeTool(agent, nameOf(agent))));
  return { tools: [...described, ...fixed.map(({ definition }) => definition)] };
}

/** Returns the call of a tool; undefined for an unknown one. Throws `invalid_params` when the arguments don't match its schema. */
async function findTool(
  call: McpCall,
  { name, arguments: given = {}, _meta }: CallToolRequest["params"],
): Promise<(() => Promise<Delivered>) | undefined> {
  const fixed = findZoneTool(name);
  if (fixed !== undefined) {
    checkArguments(fixed.definition.inputSchema, given);
    return () => fixed.run(call, given as never, () => toolsOf(call));
  }
  const agent = (await toolsOf(call)).find(name);
  if (agent === undefined) return undefined;
  checkArguments(schemaOf(agent), given);
  const key = _meta?.[requestIdMeta];
  if (isWorkflow(agent))
    return () => runWorkflow(call, agent, { input: given, key: typeof key === "string" ? key : undefined });
  return () => askAgent(call, agent, given);
}

/** Continues a call whose client was asked for input. */
async function answerAndGoOn(
  call: McpCall,
  task: AskedTask,
  responses: Readonly<Record<string, unknown>> = {},
): Promise<Delivered> {
  const isAnswered = await answerElicited(call, task, responses);
  // The person has dismissed it, so it isn't asked again.
  return isAnswered ? deliverTask(call, task.task_id) : resultOf(task, call.asker.actor);
}
