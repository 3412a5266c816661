import { randomUUID } from "node:crypto";
import { methodOf } from "@crosszone/a2a";
import { type A2AAgent, errorOf } from "../a2a/a2a-agent.ts";
import { demandError } from "../a2a/scenarios.ts";
import { type Check, demand } from "../run/check.ts";
import type { Exchange } from "../wire/exchange.ts";
import { objectOf, objectsOf, quoted } from "../wire/json.ts";
import { a2a, a2a1, jsonRpc } from "./sources.ts";
import { onUnknownTask } from "./envelope.ts";

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
      const details = objectsOf(data);
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
