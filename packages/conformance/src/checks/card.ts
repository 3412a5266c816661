import { readCard } from "@crosszone/a2a";
import type { A2AAgent } from "../a2a/a2a-agent.ts";
import { type Check, judging, NotJudged } from "../run/check.ts";
import { isObject, type JsonObject, objectsOf, quoted, stringOf } from "../wire/json.ts";
import { a2a, a2a1, crosszone } from "./sources.ts";

/** A `text` is a string that can be empty. */
type Kind = "string" | "text" | "array" | "object";

const shared: Readonly<Record<string, Kind>> = {
  name: "string",
  description: "text",
  version: "string",
  capabilities: "object",
  defaultInputModes: "array",
  defaultOutputModes: "array",
  skills: "array",
};

const members: Readonly<Record<"1.0" | "0.3", Readonly<Record<string, Kind>>>> = {
  "1.0": { ...shared, supportedInterfaces: "array" },
  "0.3": { ...shared, protocolVersion: "string", url: "string" },
};

const tests: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  string: (value) => stringOf(value) !== undefined,
  text: (value) => typeof value === "string",
  array: Array.isArray,
  object: isObject,
};

const ofSkill: Readonly<Record<string, Kind>> = { id: "string", name: "string", description: "text", tags: "array" };

const wrongMembers = (object: JsonObject, kinds: Readonly<Record<string, Kind>>): readonly string[] =>
  Object.entries(kinds).flatMap(([name, kind]) => (tests[kind](object[name]) ? [] : [`${name} (${kind})`]));

/** Makes the judge of the card. Every check but the first needs `card-found`. */
const onCard = (verdict: (card: JsonObject, agent: A2AAgent) => true | string) =>
  judging(
    async (agent: A2AAgent) => agent,
    ({ card }) => card.exchange,
  )((agent) => verdict(agent.card.json ?? {}, agent));

const isFilled = (list: unknown): boolean => Array.isArray(list) && list.length > 0;

export const cardChecks: readonly Check<A2AAgent>[] = [
  {
    id: "card-found",
    title: "Has an agent card",
    rule: "The agent publishes its card at /.well-known/agent-card.json.",
    source: a2a("82-discovery-mechanisms", "53-recommended-location"),
    fix: "Serve the card as JSON at /.well-known/agent-card.json, or pass the URL of the card to the command.",
    judge: onCard((_, { card: { json, exchange } }) => {
      const came = exchange.problem ?? `HTTP ${exchange.status} without a JSON object`;
      return json !== undefined || `No card: ${came}.`;
    }),
  },
  {
    id: "card-members",
    title: "Has a complete agent card",
    rule: "The card and each of its skills have every required member, each of the right type.",
    source: a2a("441-agentcard", "55-agentcard-object-structure"),
    fix: "Add the members that are named, or give them the type that the specification says.",
    needs: ["card-found"],
    judge: onCard((card, { dialect: { version } }) => {
      const skills = objectsOf(card["skills"]);
      const wrong = [
        ...wrongMembers(card, members[version]),
        ...skills.flatMap((skill) => wrongMembers(skill, ofSkill).map((name) => `${name} of ${quoted(skill["id"])}`)),
      ];
      return wrong.length === 0 || `Missing or of another type: ${wrong.join(", ")}.`;
    }),
  },
  {
    id: "card-lists-filled",
    title: "Has no empty list in its card",
    rule: "Required lists of the card have at least one element: interfaces, input and output modes, skills and their tags.",
    source: a2a1("57-field-presence-and-optionality"),
    fix: 'Put something into each list: ["text/plain"] for the modes, one skill with one tag.',
    needs: ["card-members"],
    judge: onCard((card) => {
      const lists = ["supportedInterfaces", "defaultInputModes", "defaultOutputModes", "skills"];
      const empty = lists.filter((name) => !isFilled(card[name]));
      const untagged = objectsOf(card["skills"]).filter((skill) => !isFilled(skill["tags"]));
      const names = [...empty, ...untagged.map((skill) => `tags of the skill ${quoted(skill["id"])}`)].join(", ");
      return names === "" || `Empty: ${names}.`;
    }),
  },
  {
    id: "card-offers-version",
    title: "Lists the version that it speaks",
    rule: "The card names each JSON-RPC interface with its URL and version.",
    source: a2a("831-supported-interfaces-declaration", "561-main-url-and-preferred-transport"),
    fix: "Add the interface of this version to the card: supportedInterfaces in 1.0, url and protocolVersion in 0.3.",
    needs: ["card-members"],
    judge: onCard((card, { endpoint, dialect: { version } }) => {
      const offers = readCard(card)?.interfaces.filter(({ binding }) => binding.toUpperCase() === "JSONRPC");
      const named = [...new Set(offers?.map((offer) => offer.version))].join(", ") || "none";
      return (
        endpoint.cardUrl !== undefined || `Checked for A2A ${version}, and the card offers over JSON-RPC: ${named}.`
      );
    }),
  },
  {
    id: "card-url-answers",
    title: "Answers at the URL of its card",
    rule: "The URL in the card is the one at which the agent answers.",
    source: a2a("831-supported-interfaces-declaration", "561-main-url-and-preferred-transport"),
    fix: "Write the URL into the card at which callers reach the agent. 0.0.0.0 and names inside a container are not it.",
    needs: ["card-offers-version", "endpoint-answers"],
    judge: onCard(
      (_, { endpoint: { url, cardUrl } }) =>
        url === cardUrl || `The agent answers at ${url}, not at ${quoted(cardUrl)}.`,
    ),
  },
  {
    id: "card-url-origin",
    level: "hint",
    title: "Has the origin of its card",
    rule: "Crosszone calls an agent only at the origin that it is registered with.",
    source: crosszone("the-agent-card"),
    fix: "Write a URL with the same scheme, host and port into the card, or register the agent with the card's origin.",
    needs: ["card-url-answers"],
    judge: onCard((_, { endpoint: { url }, baseUrl }) => {
      const { origin } = new URL(baseUrl);
      return new URL(url).origin === origin || `The card says ${url}, and the agent was found at ${origin}.`;
    }),
  },
  {
    id: "card-security",
    title: "Describes the credentials that it needs",
    rule: "Each scheme that the card requires is described in securitySchemes.",
    source: a2a("451-securityscheme", "553-securityscheme-object"),
    fix: "Add each scheme that is required to securitySchemes, under the same name.",
    needs: ["card-members"],
    judge: onCard((card) => {
      const required = [
        ...objectsOf(card["security"]).flatMap(Object.keys),
        ...objectsOf(card["securityRequirements"]).flatMap(({ schemes }) =>
          isObject(schemes) ? Object.keys(schemes) : [],
        ),
      ];
      if (required.length === 0) throw new NotJudged("The card requires no credentials.");
      const { securitySchemes } = card;
      const missing = required.filter((name) => !isObject(securitySchemes) || !isObject(securitySchemes[name]));
      return missing.length === 0 || `Not described: ${missing.join(", ")}.`;
    }),
  },
];
