import { randomUUID } from "node:crypto";
import type { Tool } from "@modelcontextprotocol/server";
import type { Part } from "@crosszone/a2a";
import type { Agent } from "../../agents/agent.ts";
import { type Delivered, deliverQuestion } from "./deliver-task.ts";
import type { McpCall } from "./mcp-call.ts";
import { plainText } from "./plain-text.ts";
import { toolNames } from "./tool-names.ts";
import { type AskArguments, schemas } from "./tool-schemas.ts";

/** The most agents and workflows that are tools of their own. With more, a model chooses worse, and clients limit the number of tools. */
export const mostAgentTools = 20;

export const isWorkflow = ({ kind }: Agent): boolean => kind === "workflow";

/** The tools of agents and workflows: `ask_` and `run_`, and the name. */
export interface AgentTools {
  readonly agents: readonly Agent[];
  readonly find: (tool: string) => Agent | undefined;
  readonly nameOf: (agent: Agent) => string;
}

/** Names the tools of agents. The order is that of the agents' names. */
export function agentTools(all: readonly Agent[], reserved: readonly string[]): AgentTools {
  const agents = all.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const namesOf = (prefix: string, isMeant: (agent: Agent) => boolean) => {
    const names = agents.filter(isMeant).map(({ name }) => name);
    return toolNames(prefix, names, reserved);
  };
  const names = new Map([...namesOf("ask_", (agent) => !isWorkflow(agent)), ...namesOf("run_", isWorkflow)]);
  const nameOf = ({ name }: Agent): string => names.get(name) ?? "";
  const byTool = new Map(agents.map((agent) => [nameOf(agent), agent]));
  return { agents, find: (tool) => byTool.get(tool), nameOf };
}

export const schemaOf = (agent: Agent): Tool["inputSchema"] =>
  isWorkflow(agent) ? { ...agent.inputSchema, type: "object" } : schemas.ask;

/** Returns a tool as clients see it. What its author wrote is data: shortened, and without characters that people can't see. */
export async function describeTool(agent: Agent, name: string): Promise<Tool> {
  const title = plainText(agent.name, 100);
  const verb = isWorkflow(agent) ? "Runs the workflow" : "Asks the agent";
  // An agent that can't be described now may have side effects.
  const { sideEffects } = (await agent.describe?.().catch(() => undefined)) ?? {
    sideEffects: agent.describe !== undefined,
  };
  return {
    name,
    title,
    description: `${verb} "${title}". ${plainText(agent.description, 1_000)}`.trim(),
    inputSchema: schemaOf(agent),
    annotations: { readOnlyHint: !sideEffects, openWorldHint: true },
  };
}

/** Asks an agent with the arguments of `ask_…`. */
export function askAgent(call: McpCall, agent: Agent, given: AskArguments): Promise<Delivered> {
  const { message = "", context_id: contextId, request_id: key = randomUUID(), files = [] } = given;
  const raw = files.map(({ name, media_type, base64 }) => ({ raw: base64, filename: name, mediaType: media_type }));
  return deliverQuestion(call, { agent, message: messageOf([{ text: message }, ...raw]), contextId, key });
}

/** Runs a workflow. Its input has no place for an idempotency key, so that is in `_meta`. */
export function runWorkflow(
  call: McpCall,
  agent: Agent,
  { input, key = randomUUID() }: { readonly input: unknown; readonly key?: string | undefined },
): Promise<Delivered> {
  return deliverQuestion(call, { agent, message: messageOf([{ data: input }]), key });
}

const messageOf = (parts: readonly Part[]) => ({ messageId: randomUUID(), parts });
