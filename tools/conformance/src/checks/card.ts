import { randomUUID } from "node:crypto";
import { methodOf, readCard } from "@crosszone/a2a";
import { type A2AAgent, capabilityOf, errorOf } from "../a2a/a2a-agent.ts";
import { answered, demandError } from "../a2a/scenarios.ts";
import { type Check, demand, judging, NotJudged, Violation } from "../check.ts";
import { isObject, type JsonObject, objectOf, objectsIn, quoted, stringOf } from "../wire.ts";
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
      const skills = objectsIn(card["skills"]);
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
      const untagged = objectsIn(card["skills"]).filter((skill) => !isFilled(skill["tags"]));
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
        ...objectsIn(card["security"]).flatMap(Object.keys),
        ...objectsIn(card["securityRequirements"]).flatMap(({ schemes }) =>
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

const getWith = (agent: A2AAgent, version: string) =>
  agent.call("get", { id: randomUUID() }, { headers: { "a2a-version": version } });

/** Neither a method that is not there nor a version that is not spoken. */
const isSpoken = (code: unknown): boolean => code !== -32601 && code !== -32009;

/** The first check after the envelope: without it, nothing else of a version can be judged. */
export const versionSpoken: Check<A2AAgent> = {
  id: "version-spoken",
  title: "Speaks the version that it offers",
  rule: "The methods of each version that the card lists work, with that version's names.",
  source: a2a("362-server-responsibilities", "1112-core-method-implementation"),
  fix: "Serve the methods of this version: SendMessage in 1.0, message/send in 0.3. Or take the version out of the card.",
  needs: ["endpoint-answers"],
  judge: async (agent) => {
    const { sent } = await answered(agent);
    const error = errorOf(sent);
    const name = methodOf(agent.dialect.wire, "send");
    demand(isSpoken(error?.["code"]), `${name} is rejected with the error ${quoted(error?.["code"])}.`, sent);
    const came = sent.problem ?? `HTTP ${sent.status}`;
    const hint = sent.ended === "late" ? " A longer --timeout gives the agent more time for each response." : "";
    if (!sent.response) throw new Violation(`${name} gets no response: ${came}.${hint}`, sent);
  },
};

export const versionChecks: readonly Check<A2AAgent>[] = [
  {
    id: "version-unknown",
    title: "Rejects an unknown version with -32009",
    rule: "A request for a version that the agent does not support gets VersionNotSupportedError.",
    source: a2a1("362-server-responsibilities"),
    fix: "Compare major and minor of the header A2A-Version with the versions of the card, and answer with code -32009.",
    needs: ["version-spoken", "error-object"],
    judge: async (agent) => demandError(await getWith(agent, "99.0"), [-32009], "A2A-Version: 99.0"),
  },
  {
    id: "version-patch",
    title: "Ignores the patch number of a version",
    rule: "Only major and minor count: 1.0.7 is 1.0.",
    source: a2a1("36-versioning"),
    fix: "Cut the version to major.minor before you compare it.",
    needs: ["version-spoken"],
    judge: async (agent) => {
      const call = await getWith(agent, "1.0.7");
      const code = errorOf(call)?.["code"];
      demand(code !== -32009, "A2A-Version: 1.0.7 is rejected with -32009, though 1.0 is spoken.", call);
    },
  },
  {
    id: "version-absent",
    title: "Reads a request without a version as 0.3",
    rule: "Without the header A2A-Version, a request is one of A2A 0.3, where GetTask is no method.",
    source: a2a1("362-server-responsibilities"),
    fix: "Treat a missing header as 0.3: answer with -32009 when the agent does not speak 0.3.",
    needs: ["version-spoken", "error-object"],
    judge: async (agent) => {
      const call = await getWith(agent, "");
      const code = errorOf(call)?.["code"];
      demand(code !== undefined && code !== -32001, "GetTask works without a version, as in 1.0.", call);
    },
  },
  {
    id: "extension-required",
    title: "Insists on its required extensions",
    rule: "A caller that does not support a required extension gets ExtensionSupportRequiredError.",
    source: a2a1("334-capability-validation"),
    fix: "Compare the header A2A-Extensions with the extensions that the card requires, and answer with code -32008.",
    needs: ["version-spoken"],
    judge: async (agent) => {
      const extensions = objectsIn(objectOf(agent.card.json?.["capabilities"])?.["extensions"]);
      const required = extensions.some((each) => each["required"] === true);
      if (!required) throw new NotJudged("The card requires no extension.");
      const { sent } = await answered(agent);
      demandError(sent, [-32008], "A message without the required extension");
    },
  },
  {
    id: "extended-card-off",
    level: { "a2a-1.0": "must", "jsonrpc-2.0": "should" },
    title: "Rejects a call for an extended card that it does not offer",
    rule: "Without the capability in the card, the call for the extended card is rejected.",
    source: a2a("334-capability-validation", "710-agentgetauthenticatedextendedcard"),
    fix: "Answer with code -32004 (0.3: -32007), or set the capability in the card.",
    needs: ["version-spoken", "error-object", "card-members"],
    judge: async (agent) => {
      if (offersExtendedCard(agent)) throw new NotJudged("The card offers an extended card.");
      const codes = agent.dialect.version === "1.0" ? [-32004] : [-32007, -32004, -32601];
      demandError(await agent.call("extendedCard", {}), codes, "The call for an extended card");
    },
  },
  {
    id: "extended-card-on",
    title: "Shows the extended card that it offers",
    rule: "With the capability in the card, the call returns a card, -32007, or asks for credentials.",
    source: a2a("3111-get-extended-agent-card", "710-agentgetauthenticatedextendedcard"),
    fix: "Serve the extended card, or take the capability out of the card.",
    needs: ["version-spoken", "card-members"],
    judge: async (agent) => {
      if (!offersExtendedCard(agent)) throw new NotJudged("The card offers no extended card.");
      const call = await agent.call("extendedCard", {});
      if (call.status === 401 || call.status === 403 || errorOf(call)?.["code"] === -32007) return;
      const card = call.response?.["result"];
      demand(isObject(card) && stringOf(card["name"]) !== undefined, "The result is not an agent card.", call);
    },
  },
];

const offersExtendedCard = (agent: A2AAgent): boolean =>
  agent.dialect.version === "0.3"
    ? agent.card.json?.["supportsAuthenticatedExtendedCard"] === true
    : capabilityOf(agent, "extendedAgentCard");
