import { errorOf, type A2AAgent } from "../a2a/a2a-agent.ts";
import { demand, type Check } from "../run/check.ts";
import { objectsOf, quoted } from "../wire/json.ts";
import { unknownTask } from "./envelope.ts";
import { a2a1 } from "./sources.ts";

export const errorChecks: readonly Check<A2AAgent>[] = [
  {
    id: "error-data-list",
    level: "must",
    title: "Sends error details as a list",
    rule: "The member data of an A2A error is a list of objects.",
    source: a2a1("95-error-handling"),
    fix: "Send data as a list with an ErrorInfo: data: [{…}]. Wrap a single object into a list; add the list if data is absent.",
    needs: ["get-unknown"],
    judge: async (agent) => {
      const call = await unknownTask(agent);
      const data = errorOf(call)?.["data"];
      const came = data === undefined ? "The error has no member data." : `The member data is ${quoted(data)}.`;
      demand(Array.isArray(data), came, call);
    },
  },
  {
    id: "error-info",
    level: "must",
    title: "Names the reason of an error",
    rule: "The details of an A2A error have a google.rpc.ErrorInfo with reason, and the domain a2a-protocol.org.",
    source: a2a1("95-error-handling"),
    fix: 'Add {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "TASK_NOT_FOUND", "domain": "a2a-protocol.org"}.',
    needs: ["error-data-list"],
    judge: async (agent) => {
      const call = await unknownTask(agent);
      const details = objectsOf(errorOf(call)?.["data"]);
      const wanted = { reason: "TASK_NOT_FOUND", domain: "a2a-protocol.org" };
      const found = details.find((each) => each["@type"] === "type.googleapis.com/google.rpc.ErrorInfo");
      const is = found?.["reason"] === wanted.reason && found["domain"] === wanted.domain;
      demand(is, `Expected an ErrorInfo with ${quoted(wanted)}, got ${quoted(found ?? details)}.`, call);
    },
  },
];
