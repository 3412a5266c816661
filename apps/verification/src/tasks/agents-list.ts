import type { AgentSummary } from "@crosszone/contracts";
import { oneLine } from "../answers/one-line.ts";

/** What is listed at most: more than this nobody reads, and Slack cuts a message. Entries of a section, and characters of all their lines. */
const mostListed = 20;
const mostCharacters = 8_000;
const longestDescription = 160;
const longestExample = 120;

/**
 * The agents that can be asked, the workflows that can be run, and how to do either, as Markdown; with a `word` only those that have it
 * in their name or description. A long list is cut, and then says how many are missing and how to find them.
 */
export function agentsList(all: readonly AgentSummary[], word = ""): string {
  if (all.length === 0) return "There is nobody to ask right now.";
  const wanted = word.trim().toLowerCase();
  const found = all.filter(({ name, description }) => `${name}\n${description}`.toLowerCase().includes(wanted));
  if (found.length === 0)
    return `Nothing has “${oneLine(word, 80)}” in its name or description. Write \`agents\` to see who can answer.`;
  const [workflows, agents] = [found.filter(isWorkflow), found.filter((one) => !isWorkflow(one))];
  const room = workflows.length > 0 && agents.length > 0 ? mostCharacters / 2 : mostCharacters;
  const sections = [agentsSection(agents, room), workflowsSection(workflows, room)];
  return sections.filter((section) => section !== undefined).join("\n\n");
}

/** What has to be written before the colon to have this do something. */
export function callOf(one: Pick<AgentSummary, "name" | "kind">): string {
  const name = /[\s:]/.test(one.name) ? `"${one.name}"` : one.name;
  return `${isWorkflow(one) ? "run" : "ask"} ${name}`;
}

function isWorkflow({ kind }: Pick<AgentSummary, "kind">): boolean {
  return kind === "workflow";
}

function agentsSection(agents: readonly AgentSummary[], room: number): string | undefined {
  // Who answers when nobody is named may not be cut off, and nobody has to write that name.
  const sorted = agents.toSorted((a, b) => Number(b.default) - Number(a.default));
  const example = agents.find((agent) => !agent.default) ?? agents[0];
  if (example === undefined) return undefined;
  const how = `To ask one of them, write \`${callOf(example)}: your question\`: to me directly, or behind my name in a channel.`;
  return `Agents that you can ask:\n${linesOf(sorted.map(agentEntry), room)}\n\n${how}`;
}

function workflowsSection(workflows: readonly AgentSummary[], room: number): string | undefined {
  if (workflows.length === 0) return undefined;
  const how = "Write your text after the colon, or a JSON object where a workflow wants several things.";
  return `Workflows that you can run:\n${linesOf(workflows.map(workflowEntry), room)}\n\n${how}`;
}

function agentEntry({ name, description, default: isDefault, skills }: AgentSummary): string {
  const head = `- **${name}**${isDefault ? " (answers when you name nobody)" : ""}: ${oneLine(description, longestDescription)}`;
  const examples = skills.flatMap((skill) => skill.examples.slice(0, 1)).slice(0, 3);
  return [head, ...examples.map((example) => `  - e.g. “${oneLine(example, longestExample)}”`)].join("\n");
}

function workflowEntry(workflow: AgentSummary): string {
  const description = oneLine(workflow.description, longestDescription);
  return `- \`${callOf(workflow)}: …\`${description === "" ? "" : ` – ${description}`}`;
}

function linesOf(entries: readonly string[], room: number): string {
  const shown = entries.slice(0, entriesThatFit(entries, room));
  const missing = entries.length - shown.length;
  const more = missing === 0 ? [] : [`- … and ${missing} more: \`/agents word\` shows those that have the word.`];
  return [...shown, ...more].join("\n");
}

/** At least one. */
function entriesThatFit(entries: readonly string[], room: number): number {
  let characters = 0;
  const over = entries.findIndex((entry, index) => {
    characters += entry.length;
    return index > 0 && (index >= mostListed || characters > room);
  });
  return over === -1 ? entries.length : over;
}
