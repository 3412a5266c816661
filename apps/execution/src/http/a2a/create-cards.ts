import { hash } from "node:crypto";
import { answer } from "@crosszone/service-kit";
import type { Asker } from "../../ask/asker.ts";
import type { AskRoutesDeps } from "../ask-routes-deps.ts";
import { type A2aExchange, agentFor } from "./a2a-exchange.ts";
import { extendedCard, publicCard } from "./agent-card.ts";

/** Returns a card with a signature by a private key, PEM. */
export type SignCard = (card: object, key: string) => Promise<object>;

export interface Cards {
  /** Answers a request for a card. Everyone can read the public one; a program that may ask the agent reads the whole one. */
  readonly answer: (exchange: A2aExchange) => Promise<void>;
  /** Returns the whole card of an agent. Throws `unknown_agent`. */
  readonly extended: (exchange: A2aExchange, asker: Asker) => Promise<object>;
}

export function createCards(deps: AskRoutesDeps, signCard: SignCard | undefined): Cards {
  const { authenticate, publicUrl, version } = deps;

  const sign = async (card: object): Promise<object> => {
    const { cardKey } = deps;
    return cardKey === undefined || signCard === undefined ? card : signCard(card, cardKey);
  };

  async function unsigned({ request, agent: name }: A2aExchange, asker: Asker | undefined): Promise<object> {
    // With the slash at its end, clients find the card below it.
    const place = { url: `${publicUrl(request)}/a2a/${encodeURIComponent(name)}/`, version };
    return asker === undefined ? publicCard(name, place) : extendedCard(await agentFor(deps, asker, name), place);
  }

  return {
    extended: async (exchange, asker) => sign(await unsigned(exchange, asker)),
    answer: async (exchange) => {
      const { request, response, correlationId } = exchange;
      const isAnonymous = request.headers.authorization === undefined;
      const asker = isAnonymous ? undefined : await authenticate(request, response, "a2a");
      if (!isAnonymous && asker === undefined) return;
      const card = await unsigned(exchange, asker);
      // Each signature of some algorithms is another one, so the tag is that of what it signs, and of the key.
      const etag = `"${hash("sha256", JSON.stringify([card, deps.cardKey]), "base64url").slice(0, 22)}"`;
      const headers = ["etag", etag, "vary", "authorization", "x-correlation-id", correlationId];
      const caching = "private, max-age=300";
      const known = request.headers["if-none-match"]?.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
      if (known?.includes(etag)) response.writeHead(304, [...headers, "cache-control", caching]).end();
      else {
        const body = JSON.stringify(await sign(card));
        answer(response, 200, { contentType: "application/json", body, headers, caching });
      }
    },
  };
}
