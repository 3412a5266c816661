import { randomUUID } from "node:crypto";
import { errorOf, type A2AAgent, type Call } from "../a2a/a2a-agent.ts";
import { isJsonRpc } from "../a2a/find-endpoint.ts";
import { answered } from "../a2a/scenarios.ts";
import { type Check, demand, type Judging, judging, Violation } from "../run/check.ts";
import { isObject, quoted } from "../wire/json.ts";
import { a2a, crosszone, jsonRpc } from "./sources.ts";

/** A call that costs the agent nothing and is answered with an error: a task that does not exist. */
export const unknownTask = (agent: A2AAgent): Promise<Call> =>
  agent.once("unknown task", () => agent.call("get", { id: randomUUID() }));

/** Makes the judge of its answer. */
export const onUnknownTask: Judging<A2AAgent, Call> = judging(unknownTask, (call) => call);

/** Checks that a response has the id of its request. */
const echoes = (
  id: string,
  title: string,
  { sent, ...own }: { readonly sent: () => string | number | null } & Partial<Check<A2AAgent>>,
): Check<A2AAgent> => ({
  id,
  title,
  rule: "A response has the id of its request, with the same value and type.",
  source: jsonRpc("response_object"),
  fix: "Copy the member id of the request into the response as it is. Don't convert it.",
  ...own,
  judge: async (agent) => {
    const wanted = sent();
    const call = await agent.call("get", { id: randomUUID() }, { id: wanted });
    const got = call.response?.["id"];
    demand(
      call.response !== undefined && got === wanted,
      `The id is ${quoted(got)} instead of ${quoted(wanted)}.`,
      call,
    );
  },
});

export const envelopeChecks: readonly Check<A2AAgent>[] = [
  {
    id: "endpoint-answers",
    title: "Answers JSON-RPC requests",
    rule: "The agent answers an HTTP POST of a JSON-RPC request with a JSON-RPC response.",
    source: a2a("91-protocol-requirements", "321-json-rpc-20-transport"),
    fix: "Serve JSON-RPC 2.0 over POST at the URL of the card. If the agent needs credentials, pass them with the command.",
    judge: async (agent) => {
      const { answers, probe } = agent.endpoint;
      if (answers) return;
      const came = probe.problem ?? `HTTP ${probe.status}, and the body is not a JSON-RPC response`;
      // An agent that fails on an unknown task may answer a question.
      const isSilent = probe.status === undefined || [401, 403, 404, 405].includes(probe.status);
      const { sent } = isSilent ? { sent: probe } : await answered(agent);
      if (!isJsonRpc(sent)) throw new Violation(`No JSON-RPC response: ${came}.`, probe);
    },
  },
  {
    id: "errors-are-json",
    title: "Sends errors as JSON-RPC",
    rule: "A failed call is answered with a JSON-RPC response too, never with HTML or plain text.",
    source: a2a("95-error-handling", "8-error-handling"),
    fix: "Catch every error in the handler and answer with {jsonrpc, id, error: {code, message}}.",
    needs: ["endpoint-answers"],
    judge: onUnknownTask(({ response, ...call }) => {
      const came = call.problem ?? `HTTP ${call.status} ${call.mediaType}`;
      return response !== undefined || `A call for an unknown task is not answered with JSON: ${came}.`;
    }),
  },
  {
    id: "jsonrpc-member",
    title: 'Says "jsonrpc": "2.0"',
    rule: 'Each response has the member jsonrpc, which is exactly "2.0".',
    source: jsonRpc("response_object"),
    fix: 'Add "jsonrpc": "2.0" to every response.',
    needs: ["errors-are-json"],
    judge: onUnknownTask(({ response }) => {
      const version = response?.["jsonrpc"];
      return version === "2.0" || `The member jsonrpc is ${quoted(version)}.`;
    }),
  },
  echoes("id-string", "Echoes a string id", {
    sent: () => `crosszone-${randomUUID()}-ä`,
    needs: ["errors-are-json"],
  }),
  // Zero is an id like any other, and falsy in many languages.
  echoes("id-integer", "Echoes an integer id", { sent: () => 0, needs: ["id-string"] }),
  echoes("id-null", "Answers a request with the id null", {
    sent: () => null,
    level: "should",
    rule: "A request with the id null is no notification: it is answered, with the id null.",
    source: jsonRpc("request_object"),
    fix: "Treat only a missing id as a notification.",
    needs: ["id-string"],
  }),
  {
    id: "result-or-error",
    title: "Has a result or an error, not both",
    rule: "A response has either the member result or the member error.",
    source: jsonRpc("response_object"),
    fix: "Send every outcome as JSON-RPC with exactly one of both members, also when the handler throws. Don't send the other one as null.",
    needs: ["errors-are-json"],
    judge: async (agent) => {
      for (const call of [await unknownTask(agent), await agent.call("unknown", {})]) {
        const came = call.problem ?? `HTTP ${call.status} ${call.mediaType}`;
        demand(call.response !== undefined, `The answer is no JSON-RPC response: ${came}.`, call);
        const members = ["result", "error"].filter((member) => call.response && member in call.response);
        const has = members.length === 0 ? "neither result nor error" : "both result and error";
        demand(members.length === 1, `The response has ${has}.`, call);
      }
    },
  },
  {
    id: "error-object",
    title: "Sends a complete error object",
    rule: "An error has an integer code and a message, which is a string.",
    source: jsonRpc("error_object"),
    fix: "Send error: {code: <integer>, message: <one sentence>}. A name such as TASK_NOT_FOUND is not a code.",
    needs: ["result-or-error"],
    judge: async (agent) => {
      const call = await agent.call("unknown", {});
      const error = errorOf(call);
      demand(error !== undefined, `An unknown method gets no error object: ${quoted(call.response)}.`, call);
      demand(Number.isInteger(error["code"]), `The code is ${quoted(error["code"])}.`, call);
      demand(typeof error["message"] === "string", `The message is ${quoted(error["message"])}.`, call);
    },
  },
  {
    id: "content-type",
    title: "Sends application/json",
    rule: "Responses have the content type application/json.",
    source: a2a("91-protocol-requirements", "321-json-rpc-20-transport"),
    fix: "Set the header Content-Type: application/json on every JSON-RPC response.",
    needs: ["errors-are-json"],
    judge: onUnknownTask(
      ({ mediaType }) => mediaType === "application/json" || `The content type is ${quoted(mediaType)}.`,
    ),
  },
  {
    id: "http-status",
    level: "hint",
    title: "Sends JSON-RPC errors with HTTP 200",
    rule: "A JSON-RPC error is a successful HTTP exchange. Other statuses are for the HTTP layer, such as 401 or 413.",
    source: crosszone("the-wire-format"),
    fix: "Answer with HTTP 200 and put the failure into the member error.",
    needs: ["errors-are-json"],
    judge: onUnknownTask(({ status }) => status === 200 || `The error comes with HTTP ${status}.`),
  },
  {
    id: "concurrent-requests",
    title: "Answers each of several requests at once",
    rule: "Responses belong to their requests, no matter how many are open.",
    source: jsonRpc("response_object"),
    fix: "Keep no request state in variables that requests share.",
    needs: ["id-string"],
    judge: async (agent) => {
      const calls = await Promise.all(Array.from({ length: 8 }, () => agent.call("get", { id: randomUUID() })));
      const wrong = calls.find(({ id, response }) => !isObject(response) || response["id"] !== id);
      demand(wrong === undefined, `One of 8 requests got ${wrong?.problem ?? "the response of another"}.`, wrong);
    },
  },
];
