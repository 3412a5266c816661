// suite: both
import { cpuMsOf, someOf } from "@crosszone/testkit/cpu";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { connectServer, running } from "../testing/connect-server.ts";
import { type McpServerBehavior, mcpTool, startMcpServer } from "../testing/start-mcp-server.ts";

const soon = { callMs: 60_000, connectMs: 60_000, mostBytes: 100_000 };

async function start(behavior: Partial<McpServerBehavior>, limits: Partial<typeof soon> = {}) {
  const { callMs, ...others } = { ...soon, ...limits };
  const server = await startMcpServer({ tools: [mcpTool("find")], ...behavior });
  const { mcp, told } = connectServer({ name: "evil", reach: { url: server.url, fetch }, callMs }, others);
  const openTurn = async () => {
    const turn = await mcp.openTurn(running);
    onTestFinished(turn.close);
    return turn.tools;
  };
  return { server, told, openTurn };
}

/** Answers calls with a stream of this piece for ever. */
function streaming(piece: string) {
  const ended = Promise.withResolvers<undefined>();
  const intercept = (method: string, response: ServerResponse): boolean => {
    if (method !== "tools/call") return false;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.once("close", () => ended.resolve(undefined));
    const fill = async (): Promise<void> => {
      while (!response.destroyed)
        if (response.write(piece)) await new Promise((resolve) => void setTimeout(resolve, 5));
        else await Promise.race([once(response, "drain"), once(response, "close")]);
    };
    void fill();
    return true;
  };
  return { intercept, ended: ended.promise };
}

const progress = 'data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}\n\n';

const brief = { callMs: 1_000, connectMs: 1_000 };

const streams: readonly (readonly [string, Partial<typeof soon>, string, RegExp])[] = [
  ["of comments ends by time", brief, ": still here\n\n", /no answer within 1000 ms/],
  ["of progress ends by time", brief, progress, /no answer within 1000 ms|too large/],
  ["of one event ends by size", {}, "data: xxxxxxxxxx".repeat(1_000), /too large/],
  ["of text that is no event ends by size", {}, "x".repeat(10_000), /too large/],
];

test.each(someOf(streams, 2))("a stream %s, and its connection closes", async (...[, limits, piece, words]) => {
  const { intercept, ended } = streaming(piece);
  const { openTurn } = await start({ intercept }, limits);
  const [tool] = await openTurn();
  await expect(tool?.run({}, { signal: running, number: 1 })).rejects.toThrow(words);
  expect(await ended).toBeUndefined();
});

test("of 10,000 tools, 200 are read", async () => {
  const tools = Array.from({ length: 10_000 }, (_, at) => mcpTool(`t${String(at).padStart(5, "0")}`));
  const { openTurn } = await start({ tools }, { mostBytes: 10_000_000 });
  const offered = await openTurn();
  expect(offered).toHaveLength(200);
});

test.each<[string, () => string]>([
  ["a million subschemas", () => `{"type":"object","anyOf":[${Array<string>(1_000_000).fill("{}").join(",")}]}`],
  ["a hundred thousand levels", () => `{"type":"object","not":${'{"not":'.repeat(100_000)}{}${"}".repeat(100_000)}}`],
])("a schema of %s is not offered, and does not stop the zone", async (_what, schemaOf) => {
  const intercept = (method: string, response: ServerResponse): boolean => {
    if (method !== "tools/list") return false;
    const tools = `[{"name":"bomb","inputSchema":${schemaOf()}},{"name":"find","inputSchema":{"type":"object"}}]`;
    response.writeHead(200, { "content-type": "application/json" });
    response.end(`{"jsonrpc":"2.0","id":1,"result":{"tools":${tools}}}`);
    return true;
  };
  const { openTurn } = await start({ intercept }, { mostBytes: 20_000_000 });
  const spentMs = await cpuMsOf(async () => {
    expect((await openTurn()).map(({ name }) => name)).toEqual(["evil_find"]);
  });
  expect(spentMs).toBeLessThan(10_000);
});

test.each<[string, object]>([
  ["an empty name", { properties: { a: { type: "string", "x-mcp-header": "" } } }],
  ["a line break in a name", { properties: { a: { type: "string", "x-mcp-header": "A\r\nB" } } }],
  [
    "a name twice",
    { properties: { a: { type: "string", "x-mcp-header": "A" }, b: { type: "string", "x-mcp-header": "a" } } },
  ],
  ["an object", { properties: { a: { type: "object", "x-mcp-header": "A" } } }],
  ["the items of a list", { properties: { a: { type: "array", items: { type: "string", "x-mcp-header": "A" } } } }],
  ["one of several schemas", { anyOf: [{ properties: { a: { type: "string", "x-mcp-header": "A" } } }] }],
])("a tool is not offered when it marks %s as a header", async (_what, schema) => {
  const marked = mcpTool("bomb", { inputSchema: { type: "object", ...schema } as never });
  const deep = { properties: { a: { properties: { b: { type: "integer", "x-mcp-header": "A-B" } } } } };
  const fine = mcpTool("find", { inputSchema: { type: "object", ...deep } as never });
  const { openTurn } = await start({ tools: [marked, fine] });
  expect((await openTurn()).map(({ name }) => name)).toEqual(["evil_find"]);
});

/** Answers calls with the text of a result. */
function answeringCalls(result: string, isStream: boolean) {
  return (method: string, response: ServerResponse, id: unknown): boolean => {
    if (method !== "tools/call") return false;
    const message = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
    response.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/json" });
    response.end(isStream ? `id: 1\nevent: message\ndata: ${message}\n\n` : message);
    return true;
  };
}

test.each([false, true])("O1: a value in a tool's result was changed, in a stream: %s", async (isStream) => {
  const run = async (result: string) => {
    const { openTurn } = await start({ intercept: answeringCalls(result, isStream) });
    const [tool] = await openTurn();
    return tool?.run({}, { signal: running, number: 1 });
  };
  const part = (members: string) => `{"content":[{"type":"text","text":"ok"${members}}]}`;
  await expect(run(part(',"_meta":{"id":12345678901234567890}'))).rejects.toThrow(
    "evil: its answer can't be kept as sent: /result/content/0/_meta/id is 12345678901234567890, which would become",
  );
  await expect(run(part(',"text":"no"'))).rejects.toThrow("/result/content/0/text is there twice");
  // Not passed on.
  const structured = ',"structuredContent":{"id":12345678901234567890}}';
  expect(await run(part("").replace(/\}$/, structured))).toMatchObject({ text: "ok" });
});
