import { hash } from "node:crypto";
import { answerVersion, bearerSecurity, cardInterfaces, type Version } from "@crosszone/a2a";
import { hitlUri } from "@crosszone/agent-bridge";
import { answer, type Exchange } from "@crosszone/service-kit";
import type { Agent } from "../../agents/agent.ts";
import type { Asker } from "../../tasks/ask/asker.ts";
import type { AskRoutesDeps } from "../ask-routes-deps.ts";
import { isKnown } from "../rpc/describe-zone.ts";
import { versionIn } from "./a2a-errors.ts";
import { agentFor } from "./program-call.ts";

/** What a card tells besides its agent. */
interface CardPlace {
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
const publicCard = (name: string, place: CardPlace): object =>
  cardOf(name, place, {
    description: `Agents and workflows of a Crosszone zone. Authenticate to read what "${name}" does.`,
    skills: [{ id: "ask", name: "Ask", description: "Answers a message.", tags: ["crosszone"] }],
  });

/** Returns the whole card of an agent, for programs that may ask it. */
function extendedCard(agent: Agent, place: CardPlace): object {
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
      examples: "examples" in skill && skill.examples.length > 0 ? skill.examples : undefined,
      inputModes: inputSchema === undefined ? undefined : ["application/json", "text/plain"],
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
  supportsAuthenticatedExtendedCard: form === "0.3" ? true : undefined,
  ...bearerSecurity(["ask"], form),
  defaultInputModes: inputModes,
  defaultOutputModes: ["text/markdown", "text/plain", "*/*"],
  ...said,
});

/** Returns a card with a signature by a private key, PEM. */
export type SignCard = (card: object, key: string) => Promise<object>;

export type Cards = ReturnType<typeof createCards>;

/** The most signed cards that are kept. A signature takes a millisecond, and anyone can ask for a public card. */
const mostSigned = 200;

/** Without a token, every agent exists. */
const anyone: Asker = { actor: "unknown", agents: ["*"], openTasks: 0 };

export function createCards(deps: AskRoutesDeps, signCard: SignCard | undefined) {
  const { ask, publicUrl, version } = deps;
  const signed = new Map<string, object>();

  /** Tells what is signed, and with which key. */
  const tagOf = (card: object): string =>
    hash("sha256", JSON.stringify([card, deps.cardKey]), "base64url").slice(0, 22);

  const sign = async (card: object): Promise<object> => {
    const { cardKey } = deps;
    if (cardKey === undefined || signCard === undefined) return card;
    const tag = tagOf(card);
    const known = signed.get(tag);
    if (known !== undefined) return known;
    const made = await signCard(card, cardKey);
    const [oldest = tag] = signed.keys();
    if (signed.size >= mostSigned) signed.delete(oldest);
    signed.set(tag, made);
    return made;
  };

  /** Throws `unknown_agent`. A stranger's name gets a public card only if no key would sign it: then it is the same for every name. */
  async function unsigned({ request, about: name = "" }: Exchange, asker: Asker | undefined): Promise<object> {
    // With the slash at its end, clients find the card below it.
    const place = {
      url: `${publicUrl(request)}/a2a/${encodeURIComponent(name)}/`,
      version,
      form: answerVersion(versionIn(request)),
    };
    if (asker !== undefined) return extendedCard(await agentFor(deps, asker, name), place);
    if (deps.cardKey !== undefined) await ask.agent(anyone, name);
    return publicCard(name, place);
  }

  return {
    /** Returns the whole card of an agent. Throws `unknown_agent`. */
    extended: async (exchange: Exchange, asker: Asker): Promise<object> => sign(await unsigned(exchange, asker)),
    /** Answers a request for a card: the public one without a program. */
    answer: async (exchange: Exchange, asker: Asker | undefined): Promise<void> => {
      const { request, response, correlationId } = exchange;
      const card = await unsigned(exchange, asker);
      // Each signature of some algorithms is another one, so the tag is that of what it signs, and of the key.
      const etag = `"${tagOf(card)}"`;
      const headers = ["etag", etag, "vary", "authorization, a2a-version", "x-correlation-id", correlationId];
      const caching = "private, max-age=300";
      if (isKnown(request.headers["if-none-match"], etag))
        response.writeHead(304, [...headers, "cache-control", caching]).end();
      else {
        const body = JSON.stringify(await sign(card));
        answer(response, 200, { contentType: "application/json", body, headers, caching });
      }
    },
  };
}
