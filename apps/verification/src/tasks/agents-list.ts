import type { AgentSummary } from "@crosszone/contracts";

/** The agents that can be asked, as Markdown. */
export function agentsList(agents: readonly AgentSummary[]): string {
  if (agents.length === 0) return "There is nobody to ask right now.";
  const lines = agents.map(({ name, description, default: isDefault, skills }) => {
    const head = `- **${name}**${isDefault ? " (answers when you name nobody)" : ""}: ${description}`;
    const examples = skills.flatMap((skill) => skill.examples.slice(0, 1)).slice(0, 3);
    return [head, ...examples.map((example) => `  - e.g. “${example}”`)].join("\n");
  });
  const [first] = agents;
  const name = first !== undefined && /\s/.test(first.name) ? `"${first.name}"` : first?.name;
  return `Agents that you can ask:\n${lines.join("\n")}\n\nTo ask one of them, write \`ask ${name}: your question\`.`;
}
