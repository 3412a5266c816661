import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type Arbitrary,
  boolean,
  constant,
  constantFrom,
  dictionary,
  nat,
  oneof,
  option,
  record,
  stringMatching,
  uniqueArray,
} from "fast-check";
import { isObject } from "@crosszone/service-kit/json";
import { serve } from "@crosszone/testkit/temporary";
import type { McpDefinition } from "../mcp/read-tools.ts";

/** A request of the client: its method of JSON-RPC, or `GET`, and the id of the last event that it names. */
interface OddRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly session: string | undefined;
  readonly lastEvent: string | undefined;
}

/** A response in place of a result: an HTTP status with a body, the text of a stream, or nothing. */
export type OddAnswer =
  { readonly status: number; readonly body?: unknown } | { readonly stream: string } | "silence" | undefined;

export interface OddBehavior {
  /** The result of `tools/list`, for each cursor. */
  readonly list?: (cursor: unknown) => unknown;
  /** The result of `tools/call`. */
  readonly call?: (params: Readonly<Record<string, unknown>>) => unknown;
  /** The result of `initialize`. */
  readonly initialized?: unknown;
  /** The result of `server/discover`, of a server of 2026-07-28. Without it the server knows `initialize` only. */
  readonly discovered?: unknown;
  /** Answers in place of the server, unless it returns undefined. */
  readonly instead?: (request: OddRequest & { readonly id: unknown }) => OddAnswer;
}

const usual = {
  protocolVersion: "2025-06-18",
  capabilities: { tools: {} },
  serverInfo: { name: "odd", version: "1" },
};
const look = { name: "look", description: "Looks up.", inputSchema: { type: "object", properties: {} } };

/** Starts an MCP server that no SDK stands behind, so that it can say all that is legal, or nearly so. Ends with the test. */
export async function startOddServer(behavior: OddBehavior = {}) {
  const server = { ...behavior, url: "", requests: [] as OddRequest[] };
  let sessions = 0;
  const resultOf = ({ method, params }: OddRequest): unknown => {
    const { list = () => ({ tools: [look] }), call = () => ({ content: [{ type: "text", text: "ok" }] }) } = server;
    const { initialized = usual } = server;
    if (method === "initialize") return initialized;
    if (method === "server/discover") return server.discovered;
    return method === "tools/list" ? list(params["cursor"]) : call(params);
  };
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const {
      id,
      method = request.method ?? "",
      params = {},
    } = JSON.parse(Buffer.concat(chunks).toString() || "{}") as {
      readonly id?: unknown;
      readonly method?: string;
      readonly params?: Readonly<Record<string, unknown>>;
    };
    const headerOf = (name: string): string | undefined => request.headers[name]?.toString();
    const asked = { method, params, session: headerOf("mcp-session-id"), lastEvent: headerOf("last-event-id") };
    server.requests.push(asked);
    const send = (status: number, body?: unknown, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(body === undefined ? undefined : JSON.stringify(body));
    };
    const instead = server.instead?.({ ...asked, id });
    if (instead === "silence") return;
    if (instead !== undefined && "stream" in instead)
      return void response.writeHead(200, { "content-type": "text/event-stream" }).end(instead.stream);
    if (instead !== undefined) return send(instead.status, instead.body);
    if (request.method !== "POST") return send(request.method === "DELETE" ? 200 : 405);
    if (id === undefined) return send(202);
    const result = resultOf(asked);
    const error = { code: -32_601, message: "Method not found" };
    if (result === undefined) return send(200, { jsonrpc: "2.0", id, error });
    send(
      200,
      { jsonrpc: "2.0", id, result },
      method === "initialize" ? { "mcp-session-id": `s${(sessions += 1)}` } : {},
    );
  }
  server.url = `${await serve(answer)}/mcp`;
  return server;
}

/** A list of tools as a server may send it, and what is to be read of it. */
export interface OddList {
  readonly result: Readonly<Record<string, unknown>>;
  readonly tools: readonly McpDefinition[];
  readonly leftOut: number;
}

const nothing = constantFrom(undefined, null);
/** What an optional member can be when nobody uses it. */
const unused = oneof(nothing, constantFrom("", 0, true, [], {}, [null], { type: "array" }, "text"));

const schemas: Arbitrary<Readonly<Record<string, unknown>>> = oneof(
  record(
    {
      type: constantFrom("object", "object", "object", null, ["object", "null"]),
      properties: oneof(
        dictionary(stringMatching(/^[a-z]{1,5}$/), constantFrom({ type: "string" }, { type: "array" }, {}, null, true)),
        constantFrom(null, []),
      ),
      required: constantFrom(null, [], ["a"], [null, "a"]),
      description: constantFrom(null, "", "Words."),
      additionalProperties: constantFrom(null, false, {}),
      $schema: constantFrom(null, "http://json-schema.org/draft-07/schema#"),
      title: unused,
    },
    { requiredKeys: [] },
  ),
  constantFrom<Readonly<Record<string, unknown>>[]>(
    { anyOf: [{ type: "object", properties: { a: { type: "string" } } }, { type: "object" }] },
    { oneOf: [{ $ref: "#/$defs/one" }], $defs: { one: { type: "object" } } },
    { type: "object", properties: { q: { type: "array", items: null } } },
  ),
);

const given = (members: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
const present = (members: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));

/** A tool that can be offered, and its definition. */
const usable = record({
  name: oneof(stringMatching(/^[A-Za-z][\w./-]{0,20}$/), stringMatching(/^[a-zäöü][a-zäöü :]{1,20}[a-z]$/)),
  description: oneof(nothing, constantFrom("", "Does it.", 5, [])),
  inputSchema: oneof(schemas, schemas, nothing, constant([])),
  hints: record({
    readOnlyHint: constantFrom(undefined, null, true, "yes"),
    title: constantFrom(undefined, null, "A"),
  }),
  withHints: boolean(),
  more: record({
    outputSchema: unused,
    icons: unused,
    _meta: unused,
    execution: unused,
    title: unused,
    unknown: unused,
  }),
}).map(({ name, description, inputSchema, hints, withHints, more }) => {
  const annotations = withHints ? { ...given(hints), unknownHint: 1 } : undefined;
  const tool = given({ name, description, inputSchema, annotations, ...more });
  const definition: McpDefinition = {
    name,
    description: typeof description === "string" ? description : "",
    inputSchema: isObject(inputSchema) ? inputSchema : {},
    annotations: withHints ? present(hints) : {},
  };
  return { tool, definition };
});

/** What can't be offered. */
const odd = constantFrom<unknown>(
  null,
  5,
  "tool",
  [],
  {},
  { name: null, inputSchema: { type: "object" } },
  { name: " ", inputSchema: { type: "object" } },
  { name: ["x"] },
  { name: "odd one", inputSchema: "object" },
  { name: "odd two", inputSchema: [{ type: "object" }] },
  { name: "odd three", inputSchema: { type: "string" } },
  { name: "odd four", inputSchema: { type: "object", title: "z".repeat(9_000) } },
  { name: "x".repeat(300), inputSchema: { type: "object" } },
  { name: "odd five", inputSchema: { type: "object", properties: { a: { type: "object", "x-mcp-header": "A" } } } },
);

/** Lists in legal but unusual forms: any optional member absent, null, empty or of another type, and at most one odd tool. */
export const oddLists: Arbitrary<OddList> = record({
  tools: uniqueArray(usable, { maxLength: 5, selector: ({ definition }) => definition.name }),
  place: nat(5),
  odd: option(odd, { nil: undefined }),
  more: record({
    nextCursor: constantFrom(undefined, null, "", 0),
    ttlMs: constantFrom(undefined, null, 0, -1, "soon"),
    cacheScope: constantFrom(undefined, null, "public", "other"),
    resultType: constantFrom(undefined, null, "complete"),
    _meta: unused,
    unknown: unused,
  }),
}).map(({ tools, place, odd: one, more }) => {
  const listed: unknown[] = tools.map(({ tool }) => tool);
  if (one !== undefined) listed.splice(Math.min(place, listed.length), 0, one);
  const byName = (a: McpDefinition, b: McpDefinition): number => (a.name < b.name ? -1 : 1);
  const definitions = tools.map(({ definition }) => definition).toSorted(byName);
  return { result: given({ ...more, tools: listed }), tools: definitions, leftOut: one === undefined ? 0 : 1 };
});
