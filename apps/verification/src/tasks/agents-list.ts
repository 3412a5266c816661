import type { AgentSummary } from "@crosszone/contracts";

/** What is listed at most: more than this nobody reads, and Slack cuts a message. Agents, and characters of their lines. */
const mostListed = 20;
const mostCharacters = 8_000;
const longestDescription = 160;
const longestExample = 120;

/**
 * The agents that can be asked and how to ask each, as Markdown; with a `word` only those that have it in their name or description.
 * A long list is cut, and then says how many are missing and how to find them.
 */
export function agentsList(agents: readonly AgentSummary[], word = ""): string {
  if (agents.length === 0) return "There is nobody to ask right now.";
  const wanted = word.trim().toLowerCase();
  const found = agents.filter(({ name, description }) => `${name}\n${description}`.toLowerCase().includes(wanted));
  const [first] = found;
  if (first === undefined)
    return `No agent has “${oneLine(word, 80)}” in its name or description. Write \`agents\` to see who can answer.`;
  // Who answers when nobody is named may not be cut off.
  const entries = found.toSorted((a, b) => Number(b.default) - Number(a.default)).map(entryOf);
  const shown = entries.slice(0, entriesThatFit(entries));
  const missing = entries.length - shown.length;
  const more = missing === 0 ? "" : `\n- … and ${missing} more: \`/agents word\` shows those that have the word.`;
  // Nobody has to write the name of who answers anyway.
  const { name } = found.find((agent) => !agent.default) ?? first;
  const how = `To ask one of them, write \`ask ${asWritten(name)}: your question\`: to me directly, or behind my name in a channel.`;
  return `Agents that you can ask:\n${shown.join("\n")}${more}\n\n${how}`;
}

/** How a name is written behind `ask`. */
export function asWritten(name: string): string {
  return /[\s:]/.test(name) ? `"${name}"` : name;
}

function entryOf({ name, description, default: isDefault, skills }: AgentSummary): string {
  const head = `- **${name}**${isDefault ? " (answers when you name nobody)" : ""}: ${oneLine(description, longestDescription)}`;
  const examples = skills.flatMap((skill) => skill.examples.slice(0, 1)).slice(0, 3);
  return [head, ...examples.map((example) => `  - e.g. “${oneLine(example, longestExample)}”`)].join("\n");
}

/** At least one. */
function entriesThatFit(entries: readonly string[]): number {
  let characters = 0;
  const over = entries.findIndex((entry, index) => {
    characters += entry.length;
    return index > 0 && (index >= mostListed || characters > mostCharacters);
  });
  return over === -1 ? entries.length : over;
}

function oneLine(text: string, longest: number): string {
  const line = text.trim().replace(/\s+/g, " ");
  const characters = Array.from(line);
  return characters.length <= longest ? line : `${characters.slice(0, longest).join("").trimEnd()}…`;
}
