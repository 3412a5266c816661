import { type ChannelRow, type Contract, typeAt } from "./contract.ts";
import { schemaOf } from "./read-cases.ts";
import { byTitle, example, link, membersTable, notice, table, typeSection } from "./reference-sections.ts";
import { reachableTypes } from "../src/schema-graph.ts";

/** docs/reference/agents.md: the channels of the bus, why agents fail, what agents are sent and how they are registered. */
export function generateAgentsReference(contract: Contract): string {
  const { agentErrors, channels } = contract;
  return `# Bus and agents reference

${notice}

How tasks reach agents of other makers: messages on a bus, requests over HTTP, and the registry that says where each agent is.

## Channels

${Object.entries(channels)
  .map(([name, row]) => channelSection(name, row, contract))
  .join("\n\n")}

## Agent errors

The \`kind\` of an ${link("AgentError")}, and whether the bridge calls the agent again by itself.

${table(
  ["Kind", "Call again?", "Title", "Meaning"],
  Object.entries(agentErrors).map(([kind, { retryable, title, description }]) => {
    return [`\`${kind}\``, retryable ? "yes" : "no", title, description];
  }),
)}

## A2A

What an agent of the protocol \`jsonrpc-2.0\` is sent is an ${link("A2AMessageSendRequest")}; the \`result\` of its answer an
${link("A2ASendResult")}. What its answer lacks beyond that is read as far as it goes.

${example("A request", ["a2a/v0.3/message-send-request", "least"], contract)}

${example("The result of an answer", ["a2a/v0.3/send-result", "task"], contract)}

## Simple A2A

What an agent of the protocol \`simple-a2a\` is sent is a ${link("SimpleA2ARequest")}; it answers with a ${link("SimpleA2AResponse")}.

${example("A request", ["simple-a2a/request", "text"], contract)}

${example("An answer", ["simple-a2a/response", "success"], contract)}

## Registry

An agent is written as ${link("AgentSettings")} and answered as an ${link("AgentRecord")}. How to move agents to another protocol, with the
command line or an ${link("AgentMigrationRequest")}: [Migrate agents](../migrate-agents.md).

${example("Settings", ["registry/agent-settings", "whole"], contract)}

## Types

${sharedTypes(contract)}
`;
}

function channelSection(name: string, { topic, key, message, summary }: ChannelRow, contract: Contract): string {
  const type = typeAt(contract.types, message);
  return [
    `### ${name}`,
    `${summary} Topic \`${topic}\`, key \`${key}\`.`,
    `**Message** \`${type.title}\` ${type.schema.description ?? ""}`,
    membersTable(type, contract.types),
    example("Example", [schemaOf(type), "typical"], contract),
  ].join("\n\n");
}

/** Everything of the bus, the agents' protocols and the registry, but for the messages that a channel shows. */
function sharedTypes({ types, channels }: Contract): string {
  const shown = new Set(Object.values(channels).map(({ message }) => message));
  const from = types.filter(({ ref }) => /^(?:bus|a2a|simple-a2a|registry)\//.test(ref));
  return byTitle(reachableTypes(from, types).values())
    .filter(({ ref }) => !shown.has(ref))
    .map((type) => typeSection(type, types))
    .join("\n\n");
}
