import { randomUUID } from "node:crypto";
import type { A2AAgent } from "../a2a/a2a-agent.ts";
import { demandError } from "../a2a/scenarios.ts";
import { demand, type Check } from "../run/check.ts";
import type { Exchange } from "../wire/exchange.ts";
import { objectOf, quoted } from "../wire/json.ts";
import { a2a, jsonRpc } from "./sources.ts";

/** Demands that a body is rejected with this code. */
function demandRefused(exchange: Exchange, code: number, what: string): void {
  const error = objectOf(objectOf(exchange.json)?.["error"]);
  const came = exchange.problem ?? (error ? `the error ${quoted(error["code"])}` : `HTTP ${exchange.status}`);
  demand(error?.["code"] === code, `${what} gets ${came} instead of the error ${code}.`, exchange);
}

const malformed = (agent: A2AAgent): Promise<Exchange> =>
  agent.once("malformed", () => agent.post('{"jsonrpc": "2.0", "id": "1", "method": '));

const validation = a2a("332-error-handling", "81-standard-json-rpc-errors");

export const requestChecks: readonly Check<A2AAgent>[] = [
  {
    id: "parse-error",
    level: "must",
    title: "Rejects malformed JSON with -32700",
    rule: "A body that is not JSON is answered with a JSON-RPC error, code -32700.",
    source: jsonRpc("error_object"),
    fix: "Parse the body yourself, or handle the parser's error, and answer with code -32700 and the id null.",
    needs: ["errors-are-json"],
    explainedBy: ["error-object"],
    judge: async (agent) => demandRefused(await malformed(agent), -32700, "Malformed JSON"),
  },
  {
    id: "parse-error-id",
    level: "must",
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
    level: "must",
    title: "Rejects invalid requests with -32600",
    rule: "JSON that is not a JSON-RPC request, such as one without a method, gets the code -32600.",
    source: jsonRpc("error_object"),
    fix: "Check jsonrpc, id and method before anything else, and answer with code -32600.",
    needs: ["errors-are-json"],
    explainedBy: ["error-object"],
    judge: async (agent) => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: randomUUID(), method: 1, params: {} });
      demandRefused(await agent.post(body), -32600, "A request whose method is a number");
    },
  },
  {
    id: "invalid-request-version",
    level: "must",
    title: "Rejects another JSON-RPC version with -32600",
    rule: 'The member jsonrpc of a request is exactly "2.0". Anything else is not a valid request.',
    source: jsonRpc("request_object"),
    fix: 'Compare the member jsonrpc with "2.0".',
    needs: ["invalid-request", "version-spoken"],
    judge: async (agent) => {
      const { get } = agent.dialect.methods;
      const body = JSON.stringify({ jsonrpc: "1.0", id: randomUUID(), method: get, params: { id: randomUUID() } });
      demandRefused(await agent.post(body), -32600, 'A request with "jsonrpc": "1.0"');
    },
  },
  {
    id: "invalid-request-value",
    level: "must",
    title: "Rejects a bare value with -32600",
    rule: "JSON that is not an object is not a request: it gets the code -32600.",
    source: jsonRpc("error_object"),
    fix: "Check that the parsed body is an object before you read its members.",
    needs: ["invalid-request", "parse-error"],
    judge: async (agent) => demandRefused(await agent.post("42"), -32600, "The body 42"),
  },
  {
    id: "batch-answered",
    level: "should",
    title: "Answers a batch with JSON",
    rule: "A2A sends no batches. An array is rejected with -32600, or answered with an array.",
    source: jsonRpc("batch"),
    fix: "Answer an array with one error, code -32600.",
    needs: ["errors-are-json"],
    judge: async (agent) => {
      const exchange = await agent.post("[]");
      demand(
        typeof exchange.json === "object",
        `[] gets ${exchange.problem ?? `HTTP ${exchange.status} without JSON`}.`,
        exchange,
      );
    },
  },
  {
    id: "method-not-found",
    level: "must",
    title: "Rejects an unknown method with -32601",
    rule: "A method that does not exist gets the code -32601.",
    source: jsonRpc("error_object"),
    fix: "Answer every method that the agent does not know with code -32601.",
    needs: ["error-object"],
    judge: async (agent) => demandError(await agent.call("unknown", {}), [-32601], "An unknown method"),
  },
  {
    id: "invalid-params",
    level: "must",
    title: "Rejects a message that is missing with -32602",
    rule: "Params are validated before anything else happens: without a message, the code is -32602.",
    source: validation,
    fix: "Check that params.message is an object, and answer with code -32602 otherwise.",
    needs: ["error-object", "version-spoken"],
    judge: async (agent) => demandError(await agent.call("send", {}), [-32602], "A call without a message"),
  },
  {
    id: "invalid-params-type",
    level: "must",
    title: "Rejects a message of the wrong type with -32602",
    rule: "A message is an object. Text or a number gets the code -32602.",
    source: validation,
    fix: "Check the types of the params, not only their presence.",
    needs: ["invalid-params"],
    judge: async (agent) =>
      demandError(await agent.call("send", { message: "hello" }), [-32602], "A message that is a string"),
  },
  {
    id: "message-parts-required",
    level: "should",
    title: "Rejects a message without parts",
    rule: "A message has at least one part. One without is rejected with -32602.",
    source: a2a("57-field-presence-and-optionality", "64-message-object"),
    fix: "Check that message.parts is an array with at least one part.",
    needs: ["invalid-params"],
    judge: async (agent) => {
      const { roles, message } = agent.dialect;
      const empty = { ...message, role: roles.user, messageId: randomUUID(), parts: [] };
      demandError(await agent.call("send", { message: empty }), [-32602], "A message without parts");
    },
  },
  {
    id: "message-role-checked",
    level: "should",
    title: "Rejects an unknown role",
    rule: "The role of a message is one of two words. Others are rejected with -32602.",
    source: a2a("415-role", "64-message-object"),
    fix: "Compare message.role with the words of the specification.",
    needs: ["invalid-params"],
    judge: async (agent) => {
      const { text, message } = agent.dialect;
      const parts = [text(agent.questions.answered)];
      const call = await agent.call("send", { message: { ...message, role: "boss", messageId: randomUUID(), parts } });
      demandError(call, [-32602], 'A message with the role "boss"');
    },
  },
  {
    id: "message-id-required",
    level: "should",
    title: "Rejects a message without a messageId",
    rule: "A message has a messageId. One without is rejected with -32602.",
    source: a2a("57-field-presence-and-optionality", "64-message-object"),
    fix: "Check that message.messageId is a string that is not empty.",
    needs: ["invalid-params"],
    judge: async (agent) => {
      const { roles, text, message } = agent.dialect;
      const parts = [text(agent.questions.answered)];
      const call = await agent.call("send", { message: { ...message, role: roles.user, parts } });
      demandError(call, [-32602], "A message without a messageId");
    },
  },
  {
    id: "task-id-required",
    level: "should",
    title: "Rejects a call without the task id",
    rule: "The id of the task is required. A call without it is rejected with -32602.",
    source: a2a("57-field-presence-and-optionality", "81-standard-json-rpc-errors"),
    fix: "Check that params.id is a string that is not empty.",
    needs: ["get-unknown"],
    judge: async (agent) => demandError(await agent.call("get", {}), [-32602], "A call for a task without an id"),
  },
];
