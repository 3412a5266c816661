import { createHash } from "node:crypto";
import { bearerSecurity, cardInterfaces, defined } from "@crosszone/a2a";
import type { AgentOptions } from "../agent-definition.ts";

/** The media types that an agent accepts without `inputModes`. Crosszone sends the question as text, programs send data. */
export const defaultInputModes: readonly string[] = ["text/plain", "application/json"];

/**
 * Returns the agent card at a URL. It is valid for A2A 1.0 and 0.3 at once: readers ignore members of the other version.
 * https://a2a-protocol.org/v1.0.0/specification/#441-agentcard
 */
export function createCard(options: AgentOptions, url: string): object {
  const { name, description, inputModes = defaultInputModes, outputModes = ["text/plain"] } = options;
  const { iconUrl, documentationUrl, provider } = options;
  return defined({
    name,
    description,
    version: options.version ?? "1.0.0",
    ...cardInterfaces(url),
    capabilities: { streaming: true },
    defaultInputModes: inputModes,
    defaultOutputModes: outputModes,
    skills: skillsOf(options),
    iconUrl,
    documentationUrl,
    provider,
    ...(options.token !== undefined && options.authenticate === undefined && bearerSecurity([])),
    ...options.card,
  });
}

function skillsOf({ name, description, skills = [{ name }] }: AgentOptions): readonly object[] {
  return skills.map((skill) =>
    defined({
      id: skill.id ?? idOf(skill.name),
      name: skill.name,
      description: skill.description ?? description,
      tags: skill.tags ?? ["agent"],
      examples: skill.examples,
      inputModes: skill.inputModes,
      outputModes: skill.outputModes,
    }),
  );
}

/** `Count words!` is `count-words`. */
const idOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "") || "skill";

/** Returns the entity tag of a body. */
export const tagOf = (body: string): string =>
  `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
