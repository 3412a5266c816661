import { isDeepStrictEqual } from "node:util";
import type { AgentCardSkill, AgentCardWords, AgentRecord } from "@crosszone/contracts";
import { hideSecrets } from "@crosszone/service-kit";
import { isObject, ownList, ownMember } from "@crosszone/service-kit/json";
import { visibleLine } from "@crosszone/service-kit/text";
import { parseCard } from "./agent-card.ts";
import type { AgentClient } from "./agent-client.ts";

/** The most of a card that is kept: skills, examples of each, and characters. */
const most = { name: 100, description: 500, skills: 8, examples: 3, skill: 200, example: 250, all: 4_000 };

/** Returns a text as one line without secrets and characters that people can't see. Reads as many characters as it can need. */
const plainLine = (text: unknown, longest: number): string =>
  typeof text === "string" ? hideSecrets(visibleLine(text.slice(0, 4 * longest).toWellFormed())) : "";

/** The same, of at most `longest` characters. */
function lineOf(text: unknown, longest: number): string {
  const line = plainLine(text, longest);
  return line.length <= longest ? line : `${line.slice(0, longest - 1).trimEnd()}…`.toWellFormed();
}

function skillOf(skill: unknown): AgentCardSkill {
  // People ask an example as it is, so that half of one is none.
  const whole = ownList(skill, "examples")
    .slice(0, 20)
    .filter((example) => typeof example === "string" && example.length <= most.example)
    .map((example) => plainLine(example, most.example))
    .filter((example) => example !== "" && example.length <= most.example);
  return {
    id: lineOf(ownMember(skill, "id"), most.name),
    name: lineOf(ownMember(skill, "name"), most.name),
    description: lineOf(ownMember(skill, "description"), most.skill),
    examples: whole.slice(0, most.examples),
  };
}

/** Returns what an agent card says of its agent, for people: content of others. Undefined when it says nothing. */
export function wordsOfCard(card: unknown): AgentCardWords | undefined {
  const [name, description] = [
    lineOf(ownMember(card, "name"), most.name),
    lineOf(ownMember(card, "description"), most.description),
  ];
  let room = most.all;
  const skills = ownList(card, "skills")
    .slice(0, most.skills)
    .map(skillOf)
    .filter((skill) => (room -= JSON.stringify(skill).length) >= 0);
  if (name + description === "" && skills.length === 0) return undefined;
  return { name, description, skills };
}

/** Statuses of a server without a card: not found, method not allowed, gone, not implemented. */
export const withoutCard: ReadonlySet<number> = new Set([404, 405, 410, 501]);

/**
 * Returns the client; `keep` gets what each card says that it fetches, so that the registry knows the latest, whoever reads it: a health check,
 * a registration, a call. Null when the agent has no card any more. It is called only when that is new, and must not reject.
 */
export function keepingCards(
  client: AgentClient,
  keep: (agent: AgentRecord, words: AgentCardWords | null) => Promise<void>,
): AgentClient {
  return {
    ...client,
    fetchCard: async (request) => {
      const reply = await client.fetchCard(request);
      const { agent } = request;
      const card = reply.status === 200 ? parseCard(reply.body) : undefined;
      if (!isObject(card) && !withoutCard.has(reply.status)) return reply;
      const words = wordsOfCard(card) ?? null;
      if (!isDeepStrictEqual(words, agent.card ?? null)) await keep(agent, words);
      return reply;
    },
  };
}
