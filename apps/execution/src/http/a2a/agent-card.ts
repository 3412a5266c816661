import { bearerSecurity, cardInterfaces, type Version } from "@crosszone/a2a";
import { hitlUri } from "@crosszone/agent-bridge";
import type { Agent } from "../../agents/agent.ts";

/** What a card tells besides its agent. */
export interface CardPlace {
  readonly url: string;
  readonly version: string;
  /** Without that of 1.0, the card is for readers of both versions. */
  readonly form: Version["name"];
}

/** Text, JSON and files of any type. */
export const inputModes: readonly string[] = ["text/plain", "application/json", "*/*"];

/**
 * Returns the card that everyone can read. It is the same for every name, so it does not tell which agents exist. No member is false or
 * empty: then all readers agree on what a signature signs.
 */
export const publicCard = (name: string, place: CardPlace): object =>
  cardOf(name, place, {
    description: `Agents and workflows of a Crosszone zone. Authenticate to read what "${name}" does.`,
    skills: [{ id: "ask", name: "Ask", description: "Answers a message.", tags: ["crosszone"] }],
  });

/** Returns the whole card of an agent, for programs that may ask it. */
export function extendedCard(agent: Agent, place: CardPlace): object {
  const { name, kind = "agent", inputSchema } = agent;
  const description = agent.description.trim() || `The ${kind} "${name}".`;
  const whole = { id: "ask", name, description };
  const skills = agent.skills.length > 0 ? agent.skills : [whole];
  return cardOf(name, place, {
    description,
    skills: skills.map((skill) => ({
      id: skill.id,
      name: skill.name,
      description: (skill.description.trim() || skill.name) + inputOf(inputSchema),
      tags: [kind],
      ...("examples" in skill && skill.examples.length > 0 && { examples: skill.examples }),
      ...(inputSchema !== undefined && { inputModes: ["application/json", "text/plain"] }),
    })),
  });
}

const inputOf = (schema: Agent["inputSchema"]): string =>
  schema === undefined
    ? ""
    : `\n\nSend a data part, or JSON as text, that is valid by this JSON Schema: ${JSON.stringify(schema)}`;

/** One document for readers of A2A 1.0 and 0.3. https://a2a-protocol.org/v1.0.0/specification/#441-agentcard */
const cardOf = (name: string, { url, version, form }: CardPlace, said: object): object => ({
  name,
  version,
  ...cardInterfaces(url, form),
  capabilities: {
    streaming: true,
    extendedAgentCard: true,
    extensions: [{ uri: hitlUri, description: "Input requests in a structured form" }],
  },
  ...(form === "0.3" && { supportsAuthenticatedExtendedCard: true }),
  ...bearerSecurity(["ask"], form),
  defaultInputModes: inputModes,
  defaultOutputModes: ["text/markdown", "text/plain", "*/*"],
  ...said,
});
