import { randomUUID } from "node:crypto";
import { methodOf } from "@crosszone/a2a";
import { type A2AAgent, type A2ACall, errorOf } from "../a2a/a2a-agent.ts";
import { isJsonRpc } from "../a2a/find-endpoint.ts";
import { answered, demandError } from "../a2a/scenarios.ts";
import { type Check, demand, type Judging, judging, Violation } from "../check.ts";
import { type Exchange, isObject, objectOf, objectsIn, quoted } from "../wire.ts";
import { a2a, a2a1, crosszone, jsonRpc } from "./sources.ts";

/** A call that costs the agent nothing and is answered with an error: a task that does not exist. */
export const unknownTask = (agent: A2AAgent): Promise<A2ACall> =>
  agent.once("unknown task", () => agent.call("get", { id: randomUUID() }));

/** Makes the judge of its answer. */
const onUnknownTask: Judging<A2AAgent, A2ACall> = judging(unknownTask, (call) => call);

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

const malformed = (agent: A2AAgent): Promise<Exchange> =>
  agent.once("malformed", () => agent.post('{"jsonrpc": "2.0", "id": "1", "method": '));

const validation = a2a("332-error-handling", "81-standard-json-rpc-errors");

/** Content that must not be in an error: stack traces and paths of files. */
const internals =
  /Traceback \(most recent call last\)|\n\s+at .+:\d+:\d+|node_modules\/|site-packages\/|goroutine \d+ \[/;

export const requestChecks: readonly Check<A2AAgent>[] = [
  {
    id: "parse-error",
    title: "Rejects malformed JSON with -32700",
    rule: "A body that is not JSON is answered with a JSON-RPC error, code -32700.",
    source: jsonRpc("error_object"),
    fix: "Parse the body yourself, or handle the parser's error, and answer with code -32700 and the id null.",
    needs: ["errors-are-json"],
    explainedBy: ["error-object"],
    judge: async (agent) => demandError(await malformed(agent), [-32700], "Malformed JSON"),
  },
  {
    id: "parse-error-id",
    title: "Rejects malformed JSON with the id null",
    rule: "When the id of a request can't be read, the id of the response is null.",
    source: jsonRpc("response_object"),
    fix: "Send the id null with the error -32700.",
    needs: ["parse-error"],
    explainedBy: ["id-string"],
    judge: async (agent) => {
      const exchange = await malformed(agent);
      const id = objectOf(exchange.json)?.["id"];
      demand(id === null, `The id is ${quoted(id)}.`, exchange);
    },
  },
  {
    id: "invalid-request",
    title: "Rejects invalid requests with -32600",
    rule: "JSON that is not a JSON-RPC request, such as one without a method or of another version, gets the code -32600.",
    source: jsonRpc("error_object"),
    fix: "Check jsonrpc, id and method before anything else, and answer with code -32600.",
    needs: ["errors-are-json", "version-spoken"],
    explainedBy: ["error-object"],
    judge: async (agent) => {
      const [id, params] = [randomUUID(), { id: randomUUID() }];
      const numbered = JSON.stringify({ jsonrpc: "2.0", id, method: 1, params });
      demandError(await agent.post(numbered), [-32600], "A request whose method is a number");
      const old = JSON.stringify({ jsonrpc: "1.0", id, method: methodOf(agent.dialect.wire, "get"), params });
      demandError(await agent.post(old), [-32600], 'A request with "jsonrpc": "1.0"');
    },
  },
  {
    id: "invalid-request-value",
    title: "Rejects a bare value with -32600",
    rule: "JSON that is not an object is not a request: it gets the code -32600.",
    source: jsonRpc("error_object"),
    fix: "Check that the parsed body is an object before you read its members.",
    needs: ["invalid-request", "parse-error"],
    judge: async (agent) => demandError(await agent.post("42"), [-32600], "The body 42"),
  },
  {
    id: "method-not-found",
    title: "Rejects an unknown method with -32601",
    rule: "A method that does not exist gets the code -32601.",
    source: jsonRpc("error_object"),
    fix: "Answer every method that the agent does not know with code -32601.",
    needs: ["error-object"],
    judge: async (agent) => demandError(await agent.call("unknown", {}), [-32601], "An unknown method"),
  },
  {
    id: "invalid-params",
    title: "Rejects a missing or wrong message with -32602",
    rule: "Params are validated before anything else happens: without a message that is an object, the code is -32602.",
    source: validation,
    fix: "Check that params.message is an object, and answer with code -32602 otherwise.",
    needs: ["error-object", "version-spoken"],
    judge: async (agent) => {
      demandError(await agent.call("send", {}), [-32602], "A call without a message");
      demandError(await agent.call("send", { message: "hello" }), [-32602], "A message that is a string");
    },
  },
  {
    id: "error-info",
    title: "Names the reason of an error",
    rule: "The details of an A2A error are a list with a google.rpc.ErrorInfo: a reason, and the domain a2a-protocol.org.",
    source: a2a1("95-error-handling"),
    fix: 'Send data as a list with {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "TASK_NOT_FOUND", "domain": "a2a-protocol.org"}.',
    needs: ["get-unknown"],
    judge: onUnknownTask((call) => {
      const data = errorOf(call)?.["data"];
      if (!Array.isArray(data)) return `The member data is ${quoted(data)}.`;
      const details = objectsIn(data);
      const wanted = { reason: "TASK_NOT_FOUND", domain: "a2a-protocol.org" };
      const found = details.find((each) => each["@type"] === "type.googleapis.com/google.rpc.ErrorInfo");
      const is = found?.["reason"] === wanted.reason && found["domain"] === wanted.domain;
      return is || `Expected an ErrorInfo with ${quoted(wanted)}, got ${quoted(found ?? details)}.`;
    }),
  },
  {
    id: "unicode-kept",
    title: "Reads and writes UTF-8",
    rule: "JSON is UTF-8, whatever the characters are and however they are escaped.",
    source: a2a("91-protocol-requirements", "321-json-rpc-20-transport"),
    fix: "Decode bodies as UTF-8 after all their bytes have arrived, and encode responses as UTF-8.",
    needs: ["id-string"],
    judge: async (agent) => {
      const id = '日本語 👩‍👩‍👧 \u202e "quoted" \\ \n';
      const call = await agent.call("get", { id: randomUUID() }, { id });
      demand(call.response?.["id"] === id, "An id with such characters is not echoed.", call);
    },
  },
  {
    id: "no-internals",
    level: "should",
    title: "Keeps stack traces to itself",
    rule: "Errors name what the caller can change. Stack traces and paths belong into the agent's log.",
    source: a2a("134-general-security-best-practices", "102-security-considerations-summary"),
    fix: "Log the exception, and send a fixed sentence.",
    needs: ["errors-are-json"],
    judge: async (agent) => {
      const { wire } = agent.dialect;
      const calls = [
        { method: methodOf(wire, "get"), params: { id: { not: "a string" } } },
        { method: methodOf(wire, "send"), params: { message: [] } },
      ];
      for (const call of [...calls, { method: 7 }]) {
        const exchange = await agent.post(JSON.stringify({ jsonrpc: "2.0", id: 1, ...call }));
        const found = internals.exec(exchange.text.replaceAll("\\n", "\n"))?.[0];
        demand(found === undefined, `The response contains ${JSON.stringify(found)}.`, exchange);
      }
    },
  },
];
