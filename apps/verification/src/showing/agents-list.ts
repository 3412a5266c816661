import { type AgentSummary, ZoneError } from "@crosszone/contracts";
import type { CallOptions } from "@crosszone/jsonrpc";
import { editDistance } from "@crosszone/service-kit/text";
import type { ZoneLink } from "../link/zone-link.ts";
import { literalMarkdown, oneLine } from "./markdown/neutralise.ts";

/** Limits that keep the list within one message: entries per section, characters of all lines, characters of a name. */
const mostListed = 20;
const mostCharacters = 8_000;
const longestName = 120;
const longestDescription = 160;
const longestExample = 120;
/** Number of examples for an agent that a question must name, and for the default agent. */
const mostExamples = 3;
const mostDefaultExamples = 1;

/**
 * Returns a Markdown list of the agents and workflows that people can use, in the given order, with instructions. With a `word`, the list
 * contains only entries with that word in their name or description. A long list is cut, with the number of missing entries and how to find
 * them. Names, descriptions and examples come from the agents' authors and are shown literally.
 */
export function agentsList(all: readonly AgentSummary[], word = ""): string {
  if (all.length === 0) return "No agents are available right now.";
  const wanted = word.trim().toLowerCase();
  const found = all.filter(({ name, description }) => `${name}\n${description}`.toLowerCase().includes(wanted));
  if (found.length === 0)
    return `Nothing has “${oneLine(word, 80)}” in its name or description. Write \`agents\` to see who can answer.`;
  const [workflows, agents] = [found.filter(isWorkflow), found.filter((one) => !isWorkflow(one))];
  const room = workflows.length > 0 && agents.length > 0 ? mostCharacters / 2 : mostCharacters;
  const sections = [agentsSection(agents, room), workflowsSection(workflows, room)];
  return sections.filter((section) => section !== undefined).join("\n\n");
}

/** An agent or a workflow that a message can name. */
export type Named = Pick<AgentSummary, "name" | "kind">;

/** Returns the text before the colon that addresses this agent or workflow. */
export function callOf(one: Named): string {
  const name = /[\s:]/.test(one.name) ? `"${one.name}"` : one.name;
  return `${isWorkflow(one) ? "run" : "ask"} ${name}`;
}

function isWorkflow({ kind }: Named): boolean {
  return kind === "workflow";
}

function agentsSection(agents: readonly AgentSummary[], room: number): string | undefined {
  const example = agents.find((agent) => !agent.default) ?? agents[0];
  if (example === undefined) return undefined;
  const how = `To ask one of them, write \`${callOf(example)}: your question\`: to me directly, or behind my name in a channel.`;
  return `Agents that you can ask:\n${linesOf(agents, agentEntry, room)}\n\n${how}`;
}

function workflowsSection(workflows: readonly AgentSummary[], room: number): string | undefined {
  if (workflows.length === 0) return undefined;
  const how = "Write your text after the colon, or a JSON object where a workflow wants several things.";
  return `Workflows that you can run:\n${linesOf(workflows, workflowEntry, room)}\n\n${how}`;
}

function agentEntry({ name, description, default: isDefault, skills }: AgentSummary): string {
  const about = isDefault ? " (answers if you name no agent)" : "";
  const said = literal(description, longestDescription);
  const head = `- **${literalMarkdown(oneLine(name, longestName))}**${about}${said && `: ${said}`}`;
  const examples = skills.flatMap((skill) => skill.examples.slice(0, 1));
  const shown = examples.slice(0, isDefault ? mostDefaultExamples : mostExamples);
  return [head, ...shown.map((example) => `  - e.g. “${literal(example, longestExample)}”`)].join("\n");
}

function workflowEntry(workflow: AgentSummary): string {
  const description = literal(workflow.description, longestDescription);
  return `- \`${callOf(workflow)}: …\`${description === "" ? "" : ` – ${description}`}`;
}

function literal(text: string, longest: number): string {
  return literalMarkdown(oneLine(text, longest));
}

/** Drops entries that do not fit into `room` characters, but never the default agent. */
function linesOf(all: readonly AgentSummary[], entry: (one: AgentSummary) => string, room: number): string {
  const count = entriesThatFit(all.map(entry), room);
  const cut = all.slice(count).filter((one) => !one.default);
  const shown = all.filter((one) => !cut.includes(one));
  const more = cut.length === 0 ? [] : [`- … and ${cut.length} more: \`/agents word\` shows those that have the word.`];
  return [...shown.map(entry), ...more].join("\n");
}

/** Returns how many entries fit into `room` characters; at least one. */
function entriesThatFit(entries: readonly string[], room: number): number {
  let characters = 0;
  const over = entries.findIndex((entry, index) => {
    characters += entry.length;
    return index > 0 && (index >= mostListed || characters > room);
  });
  return over === -1 ? entries.length : over;
}

/** Characters of a name that are compared; the comparison takes time proportional to the product of the lengths. */
const longestCompared = 64;

/**
 * Returns the names that are similar to `wanted`, the nearest first: names that differ in few letters, and names where one is a prefix of
 * the other. Case, spaces and dashes are ignored.
 */
export function nearNames(wanted: string, names: readonly string[], most = 3): string[] {
  const letters = lettersOf(wanted);
  return names
    .map((name) => ({ name, far: distance(letters, lettersOf(name)) }))
    .filter(({ far }) => far <= Math.max(1, Math.floor(letters.length / 3)))
    .toSorted((a, b) => a.far - b.far)
    .slice(0, most)
    .map(({ name }) => name);
}

function lettersOf(name: string): string[] {
  const plain = name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s_.-]+/g, "");
  return Array.from(plain).slice(0, longestCompared);
}

/** Returns the edit distance; at most 1 if a name of three or more letters is a prefix of the other. */
function distance(one: readonly string[], other: readonly string[]): number {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  const isPrefix = short.length >= 3 && short.every((letter, at) => letter === long[at]);
  return isPrefix ? Math.min(1, long.length - short.length) : editDistance(one, other);
}

/** Thrown when a message names an agent or a workflow that does not exist or is switched off. */
export class NoSuchAgentError extends ZoneError {
  /** Similar names, the nearest first. */
  readonly near: readonly Named[];

  constructor(agent: string, near: readonly Named[], options: { cause?: unknown } = {}) {
    super("unknown_agent", { agent }, options);
    this.near = near;
  }
}

/** Timeout for listing the similar names, milliseconds. The question is answered without them if it expires. */
const timeoutMs = 3_000;

/**
 * Returns the error to throw in place of `thrown`. An `unknown_agent` error becomes a `NoSuchAgentError` with similar names, if execution
 * lists them in time; any other error is returned unchanged.
 */
export async function withNearNames(
  thrown: unknown,
  agent: string | undefined,
  { link, call }: { readonly link: ZoneLink; readonly call: CallOptions },
): Promise<unknown> {
  if (agent === undefined || !(thrown instanceof ZoneError) || thrown.kind !== "unknown_agent") return thrown;
  const listed = await link.call("list_agents", {}, { ...call, timeoutMs }).catch(() => undefined);
  // Agents and workflows share one namespace.
  const all = new Map(listed?.agents.map((one) => [one.name, one]));
  const near = nearNames(agent, [...all.keys()]).flatMap((name) => all.get(name) ?? []);
  return new NoSuchAgentError(agent, near, { cause: thrown });
}
