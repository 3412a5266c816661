import type { A2AAgent } from "../a2a/a2a-agent.ts";
import { demand, NotJudged, type Check } from "../run/check.ts";
import { isObject, objectsOf, quoted, stringOf } from "../wire/json.ts";
import { cardOf } from "./card.ts";
import { a2a, a2a03, a2a1 } from "./sources.ts";

export const cardDetailChecks: readonly Check<A2AAgent>[] = [
  {
    id: "card-content-type",
    level: "should",
    title: "Serves the card as JSON",
    rule: "The card has the content type application/json.",
    source: a2a("82-discovery-mechanisms", "53-recommended-location"),
    fix: "Set the header Content-Type: application/json on the card.",
    needs: ["card-found"],
    judge: async ({ card: { exchange } }) =>
      demand(/[/+]json$/.test(exchange.mediaType), `The type is ${quoted(exchange.mediaType)}.`, exchange),
  },
  {
    id: "card-transport",
    level: "should",
    title: "Names its preferred transport",
    rule: "The card says in preferredTransport what its url speaks.",
    source: a2a03("561-main-url-and-preferred-transport"),
    fix: 'Add "preferredTransport": "JSONRPC" to the card.',
    needs: ["card-members"],
    judge: async (agent) =>
      demand(
        stringOf(cardOf(agent)["preferredTransport"]) !== undefined,
        "The member preferredTransport is missing.",
        agent.card.exchange,
      ),
  },
  {
    id: "card-cache-control",
    level: "should",
    title: "Lets callers cache its card",
    rule: "The card has the header Cache-Control with max-age.",
    source: a2a1("861-server-requirements"),
    fix: "Send Cache-Control: max-age=300, or however many seconds the card stays the same.",
    needs: ["card-found"],
    judge: async ({ card: { exchange } }) => {
      const header = exchange.headers.get("cache-control");
      demand(header?.includes("max-age") === true, `Cache-Control is ${quoted(header)}.`, exchange);
    },
  },
  {
    id: "card-etag",
    level: "should",
    title: "Marks versions of its card",
    rule: "The card has the header ETag, so that callers can ask whether it has changed.",
    source: a2a1("861-server-requirements"),
    fix: "Send an ETag with a hash of the card.",
    needs: ["card-found"],
    judge: async ({ card: { exchange } }) =>
      demand(exchange.headers.has("etag"), "The header ETag is missing.", exchange),
  },
  {
    id: "card-security",
    level: "must",
    title: "Describes the credentials that it needs",
    rule: "Each scheme that the card requires is described in securitySchemes.",
    source: a2a("451-securityscheme", "553-securityscheme-object"),
    fix: "Add each scheme that is required to securitySchemes, under the same name.",
    needs: ["card-members"],
    judge: async (agent) => {
      const card = cardOf(agent);
      const required = [
        ...objectsOf(card["security"]).flatMap(Object.keys),
        ...objectsOf(card["securityRequirements"]).flatMap(({ schemes }) =>
          isObject(schemes) ? Object.keys(schemes) : [],
        ),
      ];
      if (required.length === 0) throw new NotJudged("The card requires no credentials.");
      const { securitySchemes } = card;
      const missing = required.filter((name) => !isObject(securitySchemes) || !isObject(securitySchemes[name]));
      demand(missing.length === 0, `Not described: ${missing.join(", ")}.`, agent.card.exchange);
    },
  },
];
