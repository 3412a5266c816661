import type { InputOutcome } from "@crosszone/contracts";
import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import { type Delivered, deliverTask } from "./deliver-task.ts";
import { type AgentTools, askAgent, isWorkflow, runWorkflow, schemaOf } from "./agent-tools.ts";
import { checkArguments } from "./check-arguments.ts";
import { readAnswer } from "./elicitation.ts";
import type { McpCall } from "./mcp-call.ts";
import { plainText } from "./plain-text.ts";
import { type AnswerArguments, type AskAnyArguments, schemas } from "./tool-schemas.ts";
import { resultOf } from "./tool-result.ts";

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
    return { ...resultOf(canceled, asker.actor), isError: false };
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
    const { outcome } = await call.ask.answer(call.request, request_id, {
      answer: readAnswer({ verdict, ...answer }),
      digest,
    });
    return outcome === "decided"
      ? waitFor(call, task_id)
      : said(outcomeWords[outcome as InputOutcome], { outcome, task_id });
  },
};

const outcomeWords = {
  decided: "The answer was given.",
  counted: "The vote counts. More votes are needed.",
  already_decided: "Someone else has decided this. Call get_task to go on.",
  already_voted: "You have voted. The first vote stands.",
  not_eligible: "You can't decide this. People decide it in Slack or with `crosszone inputs`. Call get_task later.",
  expired: "This request has expired. Call get_task to go on.",
  withdrawn: "This request was withdrawn. Call get_task to go on.",
  changed: "The digest is not that of the action. Call get_task, show the action to your person, and use its digest.",
} satisfies Record<InputOutcome, string>;

function said(text: string, more: Readonly<Record<string, unknown>>): CallToolResult {
  return { isError: true, content: [{ type: "text", text }], structuredContent: { ...more, text } };
}

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
    const isRun = isWorkflow(agent) && input !== undefined;
    checkArguments(isRun ? schemaOf(agent) : schemas.ask, isRun ? input : given);
    return isRun ? runWorkflow(call, agent, { input, key: given.request_id }) : askAgent(call, agent, given);
  },
};

/** Tools of every program, and those that take the place of the tools of many agents. */
export const taskTools: readonly ZoneTool[] = [getTask, cancelTask, answerInput];
export const directoryTools: readonly ZoneTool[] = [listAgents, askAny];

const byName = new Map([...taskTools, ...directoryTools].map((tool) => [tool.definition.name, tool]));
export const zoneToolNames: readonly string[] = [...byName.keys()];
export const findZoneTool = (name: string): ZoneTool | undefined => byName.get(name);
