import { type InputOutcome, problemsOf, ZoneError } from "@crosszone/contracts";
import { pointerStep } from "@crosszone/contracts/json";
import { validator } from "@crosszone/contracts/validator";
import { isObject } from "@crosszone/service-kit/json";
import { checkInputOnThread } from "@crosszone/workflow";
import {
  type CallToolRequest,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import type { AskedTask } from "../../tasks/ask/asked-task.ts";
import {
  type AgentTools,
  nameAgentTools,
  type AnswerArguments,
  type AskArguments,
  askWithTool,
  type AskAnyArguments,
  describeTool,
  isWorkflow,
  mostAgentTools,
  runWorkflow,
  schemaOf,
  schemas,
} from "./agent-tools.ts";
import {
  answerElicited,
  type Delivered,
  deliverTask,
  failedToolResult,
  checkedAnswer,
  toolResultOf,
} from "./deliver-task.ts";
import { plainText, throwProtocolError } from "./error-words.ts";
import type { McpCall } from "./mcp-call.ts";

/** The checks of our own schemas. Those of workflows are others', and are checked on another thread, in the turn of the program. */
const ownChecks = new Map<object, ReturnType<typeof validator>>(
  Object.values(schemas).map((schema) => [schema, validator({ file: schema })]),
);

/**
 * Returns the arguments of a tool. As over A2A, null and an empty text count as absent where they don't match its schema. Throws `invalid_params`
 * with the problems of what was sent, and `rate_limited` when too many inputs of the program wait for their checks.
 */
async function readArguments({ asker, client }: McpCall, schema: object, sent: unknown): Promise<unknown> {
  const by = { caller: asker.actor, signal: client.signal };
  const own = ownChecks.get(schema);
  const check = async (given: unknown) => (own ? problemsOf(own, given) : checkInputOnThread(schema, given, by));
  const problems = await check(sent);
  if (problems.length === 0) return sent;
  const given = withoutEmpty(sent, new Set(problems.map(({ pointer }) => pointer)));
  if ((await check(given)).length > 0) throw new ZoneError("invalid_params", { problems: [...problems] });
  return given;
}

/** Returns a copy without the members at these places that are null or an empty text. Items of lists are kept. */
function withoutEmpty(value: unknown, places: ReadonlySet<string>, at = ""): unknown {
  if (Array.isArray(value)) return value.map((item, index) => withoutEmpty(item, places, `${at}/${index}`));
  if (!isObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const place = at + pointerStep(name);
    const isEmpty = (member === null || member === "") && places.has(place);
    return isEmpty ? [] : [[name, withoutEmpty(member, places, place)]];
  });
  return Object.fromEntries(members);
}

/** A tool that is the same for all programs. Its arguments match its schema. */
interface ZoneTool {
  readonly definition: Tool;
  run(call: McpCall, given: never, agents: () => Promise<AgentTools>): Promise<Delivered>;
}

const readOnly = { readOnlyHint: true, openWorldHint: false };

const getTask: ZoneTool = {
  definition: {
    name: "get_task",
    description: "Waits for a task of yours, 25 seconds at most, and returns its result or what it waits for.",
    inputSchema: schemas.getTask,
    annotations: readOnly,
  },
  run: (call, { task_id, wait_seconds }: { readonly task_id: string; readonly wait_seconds?: number }) =>
    waitFor(call, task_id, wait_seconds),
};

const cancelTask: ZoneTool = {
  definition: {
    name: "cancel_task",
    description: "Cancels a task of yours and the work of its agent.",
    inputSchema: schemas.cancelTask,
    annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
  },
  run: async ({ ask, asker }, { task_id }: { readonly task_id: string }) => {
    const canceled = await ask.cancel(asker, task_id);
    return { ...toolResultOf(canceled, asker.actor), isError: false };
  },
};

const answerInput: ZoneTool = {
  definition: {
    name: "answer_input",
    description: "Gives a person's answer to what a task of yours asks, then waits for the task as get_task does.",
    inputSchema: schemas.answerInput,
    annotations: { destructiveHint: true, openWorldHint: true },
  },
  run: async (call, given: AnswerArguments) => {
    const { task_id, request_id, digest, verdict = "answer", ...answer } = given;
    await call.ask.find(call.asker, task_id);
    const checked = checkedAnswer({ verdict, ...answer });
    const { outcome } = await call.ask.answer(call.request, request_id, { answer: checked, digest });
    if (outcome === "decided") return waitFor(call, task_id);
    const text = outcomeWords[outcome as InputOutcome];
    return { isError: true, content: [{ type: "text", text }], structuredContent: { outcome, task_id, text } };
  },
};

const outcomeWords = {
  decided: "The answer was given.",
  counted: "The vote counts. More votes are needed.",
  already_decided: "Someone else has decided this. Call get_task to go on.",
  already_voted: "You have voted. The first vote stands.",
  not_eligible: "You can't decide this. Call get_task to see who can, and to wait for them.",
  expired: "This request has expired. Call get_task to go on.",
  withdrawn: "This request was withdrawn. Call get_task to go on.",
  changed: "The digest is not that of the action. Call get_task, show the action to your person, and use its digest.",
} satisfies Record<InputOutcome, string>;

/** Waits for a task, and returns a result instead of a task of MCP. */
const waitFor = (call: McpCall, taskId: string, seconds = Infinity): Promise<Delivered> => {
  const client = { ...call.client, tasks: false, progress: undefined };
  return deliverTask({ ...call, client }, taskId, Math.min(seconds * 1_000, call.holdMs));
};

/** The most agents of one list. */
const mostListed = 50;

const listAgents: ZoneTool = {
  definition: {
    name: "list_agents",
    description: `Lists the agents and workflows that ask_agent can ask, ${mostListed} at most. Search for words to find one.`,
    inputSchema: schemas.listAgents,
    annotations: readOnly,
  },
  run: async (_call, { search = "", after = "" }: { readonly search?: string; readonly after?: string }, agents) => {
    const words = search.toLowerCase().split(/\s+/);
    const all = (await agents()).agents.filter(({ name, description }) => {
      const text = `${name} ${description}`.toLowerCase();
      return name > after && words.every((word) => text.includes(word));
    });
    const listed = all.slice(0, mostListed).map((agent) => ({
      name: agent.name,
      kind: agent.kind ?? "agent",
      description: plainText(agent.description, 300),
      ...(isWorkflow(agent) && { input_schema: schemaOf(agent) }),
    }));
    const next = all.length > mostListed ? { next: listed.at(-1)?.name } : {};
    const structuredContent = { agents: listed, ...next };
    return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
  },
};

const askAny: ZoneTool = {
  definition: {
    name: "ask_agent",
    description: "Asks an agent, or runs a workflow, by its name in list_agents.",
    inputSchema: schemas.askAny,
    annotations: { openWorldHint: true },
  },
  run: async (call, { agent: name, input, ...given }: AskAnyArguments) => {
    const agent = await call.ask.agent(call.asker, name);
    if (!isWorkflow(agent) || input === undefined)
      return askWithTool(call, agent, (await readArguments(call, schemas.ask, given)) as AskArguments);
    return runWorkflow(call, agent, {
      input: await readArguments(call, schemaOf(agent), input),
      key: given.request_id,
    });
  },
};

/** Tools of every program, and those that take the place of the tools of many agents. */
const taskTools: readonly ZoneTool[] = [getTask, cancelTask, answerInput];
const directoryTools: readonly ZoneTool[] = [listAgents, askAny];

const byName = new Map([...taskTools, ...directoryTools].map((tool) => [tool.definition.name, tool]));
const zoneToolNames: readonly string[] = [...byName.keys()];

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
  server.setRequestHandler("tools/list", ({ params }, context) => {
    // The list has one page, and an empty cursor is none.
    if (params?.cursor)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Unknown cursor: the list has one page.");
    return toolsOf(callOf(context))
      .then(listTools)
      .catch((error: unknown) => throwProtocolError(failed(error)));
  });
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
      return failedToolResult(known);
    }
    rejected();
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
  });
}

const toolsOf = async ({ ask, asker }: McpCall): Promise<AgentTools> =>
  nameAgentTools(await ask.agents(asker), zoneToolNames);

async function listTools({ agents, nameOf }: AgentTools): Promise<ListToolsResult> {
  const fixed = agents.length > mostAgentTools ? [...directoryTools, ...taskTools] : taskTools;
  const own = agents.length > mostAgentTools ? [] : agents;
  const described = await Promise.all(own.map((agent) => describeTool(agent, nameOf(agent))));
  return { tools: [...described, ...fixed.map(({ definition }) => definition)] };
}

/** Returns the call of a tool; undefined for an unknown one. Throws `invalid_params` when the arguments don't match its schema. */
async function findTool(
  call: McpCall,
  { name, arguments: sent = {}, _meta }: CallToolRequest["params"],
): Promise<(() => Promise<Delivered>) | undefined> {
  const fixed = byName.get(name);
  if (fixed !== undefined) {
    const given = await readArguments(call, fixed.definition.inputSchema, sent);
    return () => fixed.run(call, given as never, () => toolsOf(call));
  }
  const agent = (await toolsOf(call)).find(name);
  if (agent === undefined) return undefined;
  const given = await readArguments(call, schemaOf(agent), sent);
  const key = _meta?.[requestIdMeta];
  if (isWorkflow(agent))
    return () => runWorkflow(call, agent, { input: given, key: typeof key === "string" ? key : undefined });
  return () => askWithTool(call, agent, given as AskArguments);
}

/** Continues a call whose client was asked for input. */
async function answerAndGoOn(
  call: McpCall,
  task: AskedTask,
  responses: Readonly<Record<string, unknown>> = {},
): Promise<Delivered> {
  const isAnswered = await answerElicited(call, task, responses);
  // The person has dismissed it, so it isn't asked again.
  return isAnswered ? deliverTask(call, task.task_id) : toolResultOf(task, call.asker.actor);
}
