import { randomUUID } from "node:crypto";
import { methodOf } from "@crosszone/a2a";
import { type A2AAgent, capabilityOf, errorOf } from "../a2a/a2a-agent.ts";
import { answered, demandError } from "../a2a/scenarios.ts";
import { demand, NotJudged, Violation, type Check } from "../run/check.ts";
import { isObject, objectOf, objectsOf, quoted, stringOf } from "../wire/json.ts";
import { a2a, a2a1 } from "./sources.ts";

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
      const extensions = objectsOf(objectOf(agent.card.json?.["capabilities"])?.["extensions"]);
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
