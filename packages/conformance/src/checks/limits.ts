import { randomUUID } from "node:crypto";
import { errorOf, type A2AAgent } from "../a2a/a2a-agent.ts";
import { demand, type Check } from "../run/check.ts";
import { isObject } from "../wire/json.ts";
import { crosszone, a2a } from "./sources.ts";

/** A call for an unknown task with this metadata: whatever the size, it costs the agent nothing. */
const withMetadata = (agent: A2AAgent, metadata: string) => {
  const { get } = agent.dialect.methods;
  const params = `{"id":"${randomUUID()}","metadata":${metadata}}`;
  return agent.post(`{"jsonrpc":"2.0","id":"${randomUUID()}","method":"${get}","params":${params}}`);
};

/** Content that must not be in an error: stack traces and paths of files. */
const internals =
  /Traceback \(most recent call last\)|\n\s+at .+:\d+:\d+|node_modules\/|site-packages\/|goroutine \d+ \[/;

export const limitChecks: readonly Check<A2AAgent>[] = [
  {
    id: "charset-accepted",
    level: "should",
    title: "Accepts a charset in the content type",
    rule: "application/json; charset=utf-8 is application/json.",
    source: crosszone("the-wire-format"),
    fix: "Compare only the media type of the header, without its parameters.",
    needs: ["errors-are-json"],
    judge: async (agent) => {
      const headers = { "content-type": "application/json; charset=utf-8" };
      const call = await agent.call("unknown", {}, { headers });
      demand(errorOf(call) !== undefined && call.status !== 415, `It gets HTTP ${call.status}.`, call);
    },
  },
  {
    id: "large-body",
    level: "should",
    title: "Takes or rejects a body of 1 MiB in JSON",
    rule: "A large request is answered, or rejected with a JSON body. Files come as base64 in the message.",
    source: crosszone("files"),
    fix: "Raise the body limit of the web framework, and send a JSON-RPC error above it.",
    needs: ["errors-are-json"],
    judge: async (agent) => {
      const exchange = await withMetadata(agent, `{"pad":"${"x".repeat(1_048_576)}"}`);
      const came = exchange.problem ?? `HTTP ${exchange.status} ${exchange.mediaType}`;
      demand(isObject(exchange.json), `A body of 1 MiB gets ${came} without JSON.`, exchange);
    },
  },
  {
    id: "deep-json",
    level: "should",
    title: "Survives deeply nested JSON",
    rule: "JSON of 5,000 levels is answered or rejected with a JSON body, and the agent goes on.",
    source: crosszone("the-wire-format"),
    fix: "Limit the depth, or catch the parser's error.",
    needs: ["errors-are-json"],
    judge: async (agent) => {
      const exchange = await withMetadata(agent, `{"deep":${"[".repeat(5_000)}${"]".repeat(5_000)}}`);
      const came = exchange.problem ?? `HTTP ${exchange.status} ${exchange.mediaType}`;
      demand(isObject(exchange.json), `Nested JSON gets ${came} without JSON.`, exchange);
      const after = await agent.call("unknown", {});
      demand(after.response !== undefined, "After it, the agent does not answer.", after);
    },
  },
  {
    id: "unicode-kept",
    level: "must",
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
    id: "get-rejected",
    level: "should",
    title: "Rejects a GET request",
    rule: "The endpoint takes POST. A GET request gets a status of 400 to 499, and no crash.",
    source: crosszone("the-wire-format"),
    fix: "Answer GET with HTTP 405.",
    needs: ["endpoint-answers"],
    judge: async (agent) => {
      const exchange = await agent.get(agent.endpoint.url);
      const came = exchange.problem ?? `HTTP ${exchange.status}`;
      demand(exchange.status !== undefined && exchange.status < 500, `A GET request gets ${came}.`, exchange);
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
      const { get, send } = agent.dialect.methods;
      const calls = [
        { method: get, params: { id: { not: "a string" } } },
        { method: send, params: { message: [] } },
      ];
      for (const call of [...calls, { method: 7 }]) {
        const exchange = await agent.post(JSON.stringify({ jsonrpc: "2.0", id: 1, ...call }));
        const found = internals.exec(exchange.text.replaceAll("\\n", "\n"))?.[0];
        demand(found === undefined, `The response contains ${JSON.stringify(found)}.`, exchange);
      }
    },
  },
  {
    id: "notification-unanswered",
    level: "should",
    title: "Does not answer notifications",
    rule: "A request without an id gets no JSON-RPC response.",
    source: {
      "a2a-1.0": "https://www.jsonrpc.org/specification#notification",
      "jsonrpc-2.0": "https://www.jsonrpc.org/specification#notification",
    },
    fix: "Answer a request without the member id with HTTP 204.",
    needs: ["errors-are-json"],
    judge: async (agent) => {
      const { get } = agent.dialect.methods;
      const body = JSON.stringify({ jsonrpc: "2.0", method: get, params: { id: randomUUID() } });
      const exchange = await agent.post(body);
      demand(exchange.text.trim() === "", "A notification is answered.", exchange);
    },
  },
];
