import type { IncomingMessage, ServerResponse } from "node:http";
import { correlationOfRequest, requestIdOf } from "@crosszone/service-kit";
import type { AskRoutesDeps } from "../ask-routes-deps.ts";
import { type A2aExchange, answerWith, errorAnswer, refused } from "./a2a-exchange.ts";
import { createCards, type SignCard } from "./create-cards.ts";
import { createRpcAnswer } from "./create-rpc-answer.ts";

const cardPath = ".well-known/agent-card.json";
/** `/<agent>`, `/<agent>/` and `/<agent>/.well-known/agent-card.json`. */
const form = /^\/([^/?]+)(?:\/(\.well-known\/agent-card\.json)?)?(?:\?|$)/;

/**
 * Creates the routes of A2A 1.0 and 0.3, to be mounted at `/a2a`: JSON-RPC at `/<agent>/`, and the agent's card. Passes other paths on.
 * Without `signCard` cards have no signature.
 */
export function createA2aRoutes(deps: AskRoutesDeps, signCard?: SignCard) {
  const cards = createCards(deps, signCard);
  const answerRpc = createRpcAnswer(deps, cards);

  async function answer(exchange: A2aExchange, isCard: boolean): Promise<void> {
    const { method } = exchange.request;
    if (isCard && (method === "GET" || method === "HEAD")) await cards.answer(exchange);
    else if (!isCard && method === "POST") await answerRpc(exchange);
    else {
      const allow = isCard ? "GET" : "POST";
      throw refused(405, `send ${allow}. JSON-RPC is at POST, the agent card at GET ${cardPath}`, { allow });
    }
  }

  return async (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): Promise<void> => {
    const [, encoded = "", card] = form.exec(request.url ?? "") ?? [];
    const agent = nameOf(encoded);
    if (agent === undefined) return next();
    const correlationId = correlationOfRequest(request.headers, requestIdOf(response));
    const exchange = { request, response, agent, correlationId };
    try {
      await answer(exchange, card !== undefined);
    } catch (error) {
      const answered = errorAnswer(deps, exchange, { error });
      if (response.headersSent) response.destroy();
      else answerWith(response, answered);
    }
  };
}

/** Returns the name of an agent in a path; undefined for text that is no name. */
function nameOf(encoded: string): string | undefined {
  try {
    const name = decodeURIComponent(encoded);
    return /^[^\p{Cc}/]{1,255}$/u.test(name) && name !== ".well-known" ? name : undefined;
  } catch {
    return undefined;
  }
}
export type { SignCard } from "./create-cards.ts";
