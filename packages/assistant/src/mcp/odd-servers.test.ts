import { asyncProperty, assert } from "fast-check";
import { describe, expect, test } from "vitest";
import { connectServer, running } from "../testing/connect-server.ts";
import { type OddAnswer, type OddBehavior, oddLists, startOddServer } from "../testing/odd-server.ts";
import { listMcpTools } from "./create-mcp-servers.ts";
import type { McpLimits, McpServer } from "./mcp-server.ts";

const usual: McpLimits = { connectMs: 20_000, mostBytes: 1_000_000, listedMs: 60_000, failedMs: 0 };
const serverAt = (url: string): McpServer => ({
  name: "wiki",
  reach: { url, fetch },
  isReadOnly: true,
  callMs: 20_000,
});

async function start(behavior: OddBehavior = {}, limits: Partial<McpLimits> = {}) {
  const server = await startOddServer(behavior);
  const sent = (method: string) => server.requests.filter((request) => request.method === method);
  return { server, ...connectServer(serverAt(server.url), { ...usual, ...limits }), sent };
}

/** Answers the requests of a method in place of the server. */
const answering = (wanted: string, answer: (id: unknown) => OddAnswer): OddBehavior => ({
  instead: ({ method, id }) => (method === wanted ? answer(id) : undefined),
});

const resultText = (id: unknown, json: string) => `data: {"jsonrpc":"2.0","id":${String(id)},"result":${json}}\n\n`;
const tool = (name: string, members: object = {}) => ({ name, inputSchema: { type: "object" }, ...members });
/** Of a server of 2026-07-28. */
const discovered = {
  resultType: "complete",
  ttlMs: 0,
  cacheScope: "public",
  supportedVersions: ["2026-07-28"],
  capabilities: { tools: {} },
};

test.each([
  ["2025", undefined],
  ["2026-07-28", discovered],
])(
  "J14, J49: of any list of a server of %s the odd tool is named, and the others come out as they were listed",
  async (_version, known) => {
    const server = await startOddServer({ discovered: known });
    const property = asyncProperty(oddLists, async ({ result, tools, leftOut }) => {
      server.list = () => result;
      const list = await listMcpTools(serverAt(server.url), usual, running);
      expect(JSON.stringify(list.tools)).toBe(JSON.stringify(tools));
      expect(list.leftOut).toHaveLength(leftOut);
    });
    await assert(property, { numRuns: 25 });
  },
);

test.each<[string, OddBehavior]>([
  [
    "null members of initialize",
    {
      initialized: {
        protocolVersion: "2025-06-18",
        capabilities: { tools: null },
        instructions: null,
        serverInfo: null,
        _meta: null,
      },
    },
  ],
  ["no members of initialize but the version", { initialized: { protocolVersion: "2025-03-26" } }],
  [
    "null members of server/discover",
    {
      discovered: {
        ...discovered,
        resultType: null,
        ttlMs: null,
        cacheScope: null,
        capabilities: { tools: null },
        instructions: null,
        _meta: null,
      },
    },
  ],
  ["only the versions in server/discover", { discovered: { supportedVersions: [null, "2026-07-28"] } }],
  ["tools that are null", { list: () => ({ tools: [null, { name: "look" }], nextCursor: null }) }],
])("J14: %s lost the server", async (_what, behavior) => {
  const { names, call, sent } = await start({ list: () => ({ tools: [tool("look")] }), ...behavior });
  expect(await names()).toEqual(["wiki_look"]);
  expect(await call()).toMatchObject({ text: "ok" });
  expect(sent("initialize").length > 0).toBe(behavior.discovered === undefined);
});

test.each<[string, (id: unknown) => object, object]>([
  ["a result that is null", (id) => ({ id, result: null }), { text: /The answer is empty/ }],
  ["an empty error beside a result", (id) => ({ id, result: { content: "ok" }, error: {} }), { text: "ok" }],
  [
    "an error in words",
    (id) => ({ id, error: "no such page" }),
    { text: /refused the call: no such page/, failed: true },
  ],
])("J14: a response with %s is read", async (_what, bodyOf, shown) => {
  for (const isStream of [true, false]) {
    const { call } = await start(
      answering("tools/call", (id) =>
        isStream ? { stream: `data: ${JSON.stringify(bodyOf(id))}` } : { status: 200, body: bodyOf(id) },
      ),
    );
    const { text, ...more } = shown as { readonly text: string | RegExp };
    expect(await call()).toMatchObject({ ...more, text: expect.stringMatching(text) as string });
  }
});

test("J14: responses with texts as ids, and with more members than JSON-RPC has, are read", async () => {
  const { names, call } = await start({
    instead: ({ method, id }) => {
      const results: Record<string, unknown> = {
        "tools/list": { tools: [tool("look")] },
        "tools/call": { content: "ok" },
      };
      const result = results[method];
      return result === undefined ? undefined : { status: 200, body: { id: String(id), result, error: null, took: 5 } };
    },
  });
  expect(await names()).toEqual(["wiki_look"]);
  expect(await call()).toMatchObject({ text: "ok" });
});

test("J14: a tool whose JSON has a member twice lost the list; it is left out alone, and named once", async () => {
  const twice = '{"name":"odd","inputSchema":{"type":"object","properties":{"a":{},"a":{}}}}';
  const list = `{"tools":[{"name":"look","inputSchema":{"type":"object"}},${twice}]}`;
  const behavior = answering("tools/list", (id) => ({ stream: resultText(id, list) }));
  const { names, told } = await start(behavior, { listedMs: 0 });
  expect(await names()).toEqual(["wiki_look"]);
  expect(await names()).toEqual(["wiki_look"]);
  expect(told).toEqual([
    "mcp_tools_left_out odd: /inputSchema/properties/a is there twice: keep one",
    "mcp_tools_offered look",
  ]);
});

test("J32: tools with unusual names were left out without a word; now only one that is too large is, and it is named", async () => {
  const large = tool("large", { inputSchema: { type: "object", title: "z".repeat(9_000) } });
  const { names, call, sent, told } = await start({
    list: () => ({ tools: [tool("find: Bücher und mehr"), large] }),
  });
  expect(await names()).toEqual(["wiki_find: Bücher und mehr"]);
  await call();
  expect(sent("tools/call")[0]?.params["name"]).toBe("find: Bücher und mehr");
  expect(told[0]).toBe("mcp_tools_left_out large: its input schema has 9,028 characters, more than 8,000");
});

test("J14: an odd hint adds side effects, and never rules them out", async () => {
  const hints = [
    {},
    { readOnlyHint: null },
    { readOnlyHint: true },
    { readOnlyHint: "no" },
    { destructiveHint: "yes" },
    null,
  ];
  const list = () => ({ tools: hints.map((annotations, at) => tool(`t${at}`, { annotations })) });
  const { turn } = await start({ list });
  const effects = await turn(async (tools) => tools.map(({ sideEffects }) => sideEffects));
  expect(effects).toEqual([false, false, false, true, true, false]);
});

const tools = [tool("look")];
test.each<[string, (cursor: unknown) => unknown, number]>([
  ["the same again", () => ({ tools, nextCursor: "more" }), 2],
  ["an empty one", () => ({ tools, nextCursor: "" }), 1],
  ["always new, and brings nothing", (cursor) => ({ tools, nextCursor: `${String(cursor)}+` }), 4],
  [
    "new after an empty page",
    (cursor) => (cursor === "2" ? { tools } : { tools: [], nextCursor: cursor === "1" ? "2" : "1" }),
    3,
  ],
])("J24: a cursor that is %s ends the list", async (...[, list, requests]) => {
  const { names, sent } = await start({ list });
  expect(await names()).toEqual(["wiki_look"]);
  expect(sent("tools/list")).toHaveLength(requests);
});

describe("J15: the answer of a tool", () => {
  const structured = { total: 36 };
  test.each<[string, object, object]>([
    ["only in structured content", { content: [], structuredContent: structured }, { text: '{"total":36}' }],
    ["only in a structured list", { content: [], structuredContent: ["a", "b"] }, { text: '["a","b"]' }],
    ["in structured content without content", { structuredContent: 0 }, { text: "0" }],
    [
      "in structured content beside blank words",
      { content: [{ type: "text", text: " " }], structuredContent: structured },
      { text: '{"total":36}' },
    ],
    ["in both", { content: [{ type: "text", text: "36" }], structuredContent: structured }, { text: "36" }],
    ["in a text that is no list", { content: "36" }, { text: "36" }],
    [
      "with an odd part",
      { content: [null, 5, { type: "text", text: "36" }, { type: "resource", resource: null }] },
      { text: '36\n\n(A part of type "resource" can\'t be shown.)' },
    ],
    [
      "in a resource without a name",
      { content: [{ type: "resource", resource: { text: "36" } }], isError: null },
      { text: "36" },
    ],
    ["nowhere", { content: null, structuredContent: null }, { text: "(The answer is empty.)", failed: undefined }],
    [
      "an error without words",
      { content: [], isError: true },
      { text: "(The tool failed, and the server does not say why.)", failed: true },
    ],
    [
      "an error in structured content",
      { isError: true, structuredContent: structured },
      { text: '{"total":36}', failed: true },
    ],
  ])("%s", async (_where, result, shown) => {
    for (const known of [undefined, discovered]) {
      const { call } = await start({ discovered: known, call: () => result });
      expect(await call()).toMatchObject(shown);
    }
  });

  test("J15: a number that is used, and would change, fails the call", async () => {
    const answer = '{"structuredContent":{"id":12345678901234567890}}';
    const { call } = await start(answering("tools/call", (id) => ({ stream: resultText(id, answer) })));
    await expect(call()).rejects.toThrow("/result/structuredContent/id is 12345678901234567890, which would become");
  });
});

test("J31: null as the arguments of a call reached the server", async () => {
  const { call, sent } = await start();
  await call(null);
  expect(sent("tools/call")[0]?.params["arguments"]).toEqual({});
});

describe("J21: a session that the server has ended", () => {
  const ended = "Session not found";
  test.each<[string, { status: number; body: object }]>([
    ["with 404", { status: 404, body: { jsonrpc: "2.0", id: null, error: { code: -32_001, message: ended } } }],
    ["with 400", { status: 400, body: { error: "Bad Request: Invalid session ID" } }],
    [
      "with an error of JSON-RPC",
      {
        status: 200,
        body: { jsonrpc: "2.0", id: null, error: { code: -32_000, message: "No valid session ID provided" } },
      },
    ],
  ])("%s is followed by a new one, once", async (_how, gone) => {
    const { call, sent, server } = await start();
    const first = new Set<string | undefined>();
    server.instead = ({ method, session }) => {
      if (method !== "tools/call" || first.has("done")) return undefined;
      first.add(session).add("done");
      return gone;
    };
    expect(await call()).toMatchObject({ text: "ok" });
    expect(new Set(sent("tools/call").map(({ session }) => session)).size).toBe(2);
    Object.assign(
      server,
      answering("tools/call", () => gone),
    );
    await call().catch(() => undefined);
    expect(sent("tools/call")).toHaveLength(4);
  });

  test("a tool's own words about a session do not repeat its call", async () => {
    const error = { code: -32_602, message: "browser session not found" };
    const { call, sent } = await start(
      answering("tools/call", (id) => ({ status: 200, body: { jsonrpc: "2.0", id, error } })),
    );
    expect(await call()).toMatchObject({ failed: true, text: expect.stringContaining(error.message) as string });
    expect(sent("tools/call")).toHaveLength(1);
  });
});

describe("J22: a stream that ends after the id of an event", () => {
  const done = (id: unknown) =>
    `id: 9\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "later" }] } })}\n\n`;
  const polled = (again: (last: string, id: unknown) => { stream: string } | { status: number }): OddBehavior => {
    let asked: unknown;
    return {
      instead: ({ method, id, lastEvent = "" }) => {
        if (method === "GET") return again(lastEvent, asked);
        if (method !== "tools/call") return undefined;
        asked = id;
        return { stream: "id: 1\nretry: 10\ndata: \n\n" };
      },
    };
  };

  test("is taken up again after `retry`, as often as the server wants", async () => {
    const { call, sent } = await start(
      polled((last, id) => ({ stream: last === "1" ? "id: 2\nretry: 0\ndata: \n\n" : done(id) })),
    );
    expect(await call()).toMatchObject({ text: "later" });
    expect(sent("GET").map(({ lastEvent }) => lastEvent)).toEqual(["1", "2"]);
    expect(sent("tools/call")).toHaveLength(1);
  });

  test.each([
    ["a server that knows no GET", () => ({ status: 405 })],
    ["an end without another event", () => ({ stream: ": nothing\n\n" })],
  ])("is lost with %s", async (_what, again) => {
    const { call } = await start(polled(again));
    await expect(call()).rejects.toThrow("wiki: the connection was lost");
  });

  test("is lost in version 2026-07-28, where nothing is taken up again", async () => {
    const { call, sent } = await start({ ...polled(() => ({ status: 405 })), discovered });
    await expect(call()).rejects.toThrow("wiki: the connection was lost");
    expect(sent("GET")).toEqual([]);
  });
});

describe("J23: a server that knows only `initialize`", () => {
  const noId = { jsonrpc: "2.0", id: null, error: { code: -32_601, message: "Method not found" } };
  test.each<[string, () => OddAnswer, number]>([
    ["is silent to server/discover", () => "silence", 1],
    ["answers it with 401", () => ({ status: 401, body: { error: "unauthorized" } }), 1],
    ["answers it with 500", () => ({ status: 500, body: "no" }), 1],
    ["answers it with a page", () => ({ status: 200, body: "<html>" }), 1],
    ["answers it with an error without an id", () => ({ status: 200, body: noId }), 2],
    ["answers it with a stream that ends", () => ({ stream: ": no\n\n" }), 2],
  ])("and %s is used, in both sessions", async (_how, instead, asked) => {
    const { call, sent } = await start(answering("server/discover", instead), { connectMs: 4_000 });
    expect(await call()).toMatchObject({ text: "ok" });
    // A question that cost time or led astray is not asked again.
    expect(sent("server/discover")).toHaveLength(asked);
    expect(sent("initialize")).toHaveLength(2);
  });
});
