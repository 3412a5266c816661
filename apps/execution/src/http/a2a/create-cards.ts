import { hash } from "node:crypto";
import { answer } from "@crosszone/service-kit";
import type { Asker } from "../../ask/asker.ts";
import type { AskRoutesDeps } from "../ask-routes-deps.ts";
import { isKnown } from "../card-route.ts";
import { type A2aExchange, agentFor, formOfRequest } from "./a2a-exchange.ts";
import { extendedCard, publicCard } from "./agent-card.ts";

/** Returns a card with a signature by a private key, PEM. */
export type SignCard = (card: object, key: string) => Promise<object>;

export type Cards = ReturnType<typeof createCards>;

/** The most signed cards that are kept. A signature takes a millisecond, and anyone can ask for a public card. */
const mostSigned = 200;

/** Without a token, every agent exists. */
const anyone: Asker = { actor: "unknown", agents: ["*"], openTasks: 0 };

export function createCards(deps: AskRoutesDeps, signCard: SignCard | undefined) {
  const { ask, authenticate, publicUrl, version } = deps;
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
  async function unsigned({ request, agent: name }: A2aExchange, asker: Asker | undefined): Promise<object> {
    // With the slash at its end, clients find the card below it.
    const place = {
      url: `${publicUrl(request)}/a2a/${encodeURIComponent(name)}/`,
      version,
      form: formOfRequest(request),
    };
    if (asker !== undefined) return extendedCard(await agentFor(deps, asker, name), place);
    if (deps.cardKey !== undefined) await ask.agent(anyone, name);
    return publicCard(name, place);
  }

  return {
    /** Returns the whole card of an agent. Throws `unknown_agent`. */
    extended: async (exchange: A2aExchange, asker: Asker): Promise<object> => sign(await unsigned(exchange, asker)),
    /** Answers a request for a card. Everyone can read the public one; a program that may ask the agent reads the whole one. */
    answer: async (exchange: A2aExchange): Promise<void> => {
      const { request, response, correlationId } = exchange;
      const isAnonymous = request.headers.authorization === undefined;
      const asker = isAnonymous ? undefined : await authenticate(request, response, "a2a");
      if (!isAnonymous && asker === undefined) return;
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
