/** The arguments of the tools, as JSON Schema and as types. Model providers accept no `oneOf` or `anyOf` at the top. */
import { hash, randomUUID } from "node:crypto";
import type { Part } from "@crosszone/a2a";
import type { Tool } from "@modelcontextprotocol/server";
import type { Agent } from "../../agents/agent.ts";
import { type Delivered, deliverQuestion } from "./deliver-task.ts";
import { plainText } from "./error-words.ts";
import type { McpCall } from "./mcp-call.ts";

type Schema = Tool["inputSchema"];

const id = (description: string) => ({ type: "string", minLength: 1, maxLength: 256, description });

const filesSchema = {
  type: "array",
  maxItems: 20,
  description: "Files for the agent.",
  items: {
    type: "object",
    required: ["name", "media_type", "base64"],
    properties: {
      name: { type: "string", minLength: 1, maxLength: 255 },
      media_type: { type: "string", pattern: "^[\\w.+-]+/[\\w.+-]+$", maxLength: 255 },
      base64: { type: "string", pattern: "^[A-Za-z0-9+/]*={0,2}$" },
    },
    additionalProperties: false,
  },
} as const;

const question = {
  message: { type: "string", minLength: 1, description: "What to ask, with everything the agent needs to know." },
  context_id: id("Continues the conversation of an earlier result."),
  request_id: id("Your own unique id. A repeated call with the same id returns the same task."),
  files: filesSchema,
};

export interface AskArguments {
  readonly message?: string;
  readonly context_id?: string;
  readonly request_id?: string;
  readonly files?: readonly { readonly name: string; readonly media_type: string; readonly base64: string }[];
}

export interface AskAnyArguments extends AskArguments {
  readonly agent: string;
  readonly input?: Readonly<Record<string, unknown>>;
}

export interface AnswerArguments {
  readonly task_id: string;
  readonly request_id: string;
  readonly verdict?: "answer" | "approve" | "deny";
  readonly value?: string;
  readonly values?: Readonly<Record<string, unknown>>;
  readonly reason?: string;
  readonly digest?: string;
}

const object = (properties: object, ...required: string[]): Schema => ({
  type: "object",
  properties: properties as NonNullable<Schema["properties"]>,
  required,
  additionalProperties: false,
});

const task_id = id("The task_id of an earlier result.");

export const schemas = {
  ask: object(question, "message"),
  askAny: object(
    {
      agent: id("Its name in list_agents."),
      ...question,
      input: { type: "object", description: "For a workflow, instead of message: what matches its input_schema." },
    },
    "agent",
  ),
  listAgents: object({
    search: { type: "string", maxLength: 256, description: "Words of the name or the description." },
    after: id("The `next` of an earlier result."),
  }),
  getTask: object(
    {
      task_id,
      wait_seconds: { type: "number", minimum: 0, maximum: 25, description: "How long to wait for the end (25)." },
    },
    "task_id",
  ),
  cancelTask: object({ task_id }, "task_id"),
  answerInput: object(
    {
      task_id,
      request_id: id("The request_id of what the task asks."),
      verdict: {
        enum: ["answer", "approve", "deny"],
        description: "`answer` (the default) needs value or values. `deny` declines.",
      },
      value: { type: "string", description: "The text, or the value of an option." },
      values: { type: "object", description: "The fields of a form." },
      reason: { type: "string", description: "Why, for approve and deny." },
      digest: { type: "string", description: "For approve: the digest of the action." },
    },
    "task_id",
    "request_id",
  ),
};

/** Clients put a prefix of their own before a tool's name and accept 64 characters in all. */
const mostCharacters = 40;
const fewestDigits = 6;

/**
 * Returns the names of tools for agents, by the agents' names: a prefix, then the agent's name in lower case. An agent's name that is valid in
 * a tool's name stays as it is, whichever other agents exist. Another one gets a digest when it is too long or when its tool's name is taken.
 */
export function toolNames(
  prefix: string,
  agents: readonly string[],
  reserved: readonly string[] = [],
): ReadonlyMap<string, string> {
  const room = mostCharacters - prefix.length;
  const isKept = (name: string): boolean =>
    /^[a-z0-9_-]+$/.test(name) && name.length <= room && !reserved.includes(prefix + name);
  const others = agents.filter((name) => !isKept(name)).toSorted();
  const names = new Map(agents.filter(isKept).map((name) => [name, prefix + name]));
  const taken = new Set([...reserved, ...names.values()]);
  const wanted = Map.groupBy(others, plainName);
  for (const [name, [first = "", ...more]] of wanted) {
    const isFree = name !== "" && name.length <= room && more.length === 0 && !taken.has(prefix + name);
    for (const agent of [first, ...more]) {
      const own = isFree ? prefix + name : freeName(agent, { start: prefix + name, taken });
      names.set(agent, own);
      taken.add(own);
    }
  }
  return names;
}

const plainName = (agent: string): string =>
  agent
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");

function freeName(agent: string, { start, taken }: { readonly start: string; readonly taken: ReadonlySet<string> }) {
  const digest = hash("sha256", agent);
  for (let digits = fewestDigits; ; digits += 1) {
    const name = `${start.slice(0, mostCharacters - digits - 1)}-${digest.slice(0, digits)}`;
    if (!taken.has(name)) return name;
  }
}

/** The most agents and workflows that are tools of their own. With more, a model chooses worse, and clients limit the number of tools. */
export const mostAgentTools = 20;

export const isWorkflow = ({ kind }: Agent): boolean => kind === "workflow";

/** The tools of agents and workflows: `ask_` and `run_`, and the name. */
export type AgentTools = ReturnType<typeof nameAgentTools>;

/** Names the tools of agents. The order is that of the agents' names. */
export function nameAgentTools(all: readonly Agent[], reserved: readonly string[]) {
  const agents = all.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const namesOf = (prefix: string, isMeant: (agent: Agent) => boolean) => {
    const names = agents.filter(isMeant).map(({ name }) => name);
    return toolNames(prefix, names, reserved);
  };
  const names = new Map([...namesOf("ask_", (agent) => !isWorkflow(agent)), ...namesOf("run_", isWorkflow)]);
  const nameOf = ({ name }: Agent): string => names.get(name) ?? "";
  const byTool = new Map(agents.map((agent) => [nameOf(agent), agent]));
  return { agents, find: (tool: string): Agent | undefined => byTool.get(tool), nameOf };
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
    description: `${verb} "${title}". ${saidOf(agent)}`.trim(),
    inputSchema: schemaOf(agent),
    annotations: { readOnlyHint: !sideEffects, openWorldHint: true },
  };
}

/** Returns an agent's description. What its card says is in quotation marks, and short. */
function saidOf({ description, ownWords }: Agent): string {
  const isOwn = ownWords === "all" && description !== "";
  return isOwn ? `It says of itself: ${JSON.stringify(plainText(description, 300))}` : plainText(description, 1_000);
}

/** Asks an agent with the arguments of `ask_…`. */
export function askWithTool(call: McpCall, agent: Agent, given: AskArguments): Promise<Delivered> {
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
