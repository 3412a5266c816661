import type { InputRequiredResult } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { connectServer, running } from "../testing/connect-server.ts";
import { mcpTool, startMcpServer } from "../testing/start-mcp-server.ts";
import { type ModernCall, startModernServer } from "../testing/start-modern-server.ts";
import type { McpDecision } from "./elicitation.ts";

const done = { content: [{ type: "text" as const, text: "deployed" }] };
const requestedSchema = { type: "object", properties: { where: { type: "string" } }, required: ["where"] };

function asking(params: object, requestState = "state-1"): InputRequiredResult {
  const inputRequests = { go: { method: "elicitation/create", params: { message: "Where to?", ...params } } };
  return { resultType: "input_required", inputRequests, requestState } as unknown as InputRequiredResult;
}

/** Starts a server and returns a function that runs one call of its tool in a turn of its own. */
async function start(call: (call: ModernCall) => InputRequiredResult | typeof done) {
  const server = await startModernServer({ tools: [{ name: "deploy", inputSchema: { type: "object" } }], call });
  return { server, run: connect(server.url) };
}

interface Continued {
  readonly continuation?: { readonly value: unknown };
  /** Undefined when the task has no person to ask. */
  readonly decided?: ReadonlyMap<string, McpDecision> | undefined;
}

function connect(url: string) {
  const { turn } = connectServer({ name: "ops", reach: { url, fetch }, isReadOnly: true }, { listedMs: 60_000 });
  return ({ continuation, ...rest }: Continued = {}) => {
    const decided = "decided" in rest ? rest.decided : new Map<string, McpDecision>();
    const call = { signal: running, number: 1, ...(continuation && { continuation }) };
    return turn(async ([tool]) => tool?.run({ app: "web" }, call), { agent: "assistant", channel: "C1", decided });
  };
}

const answered = (value: string): McpDecision => ({ state: "answered", answer: { verdict: "answer", value } });

test.each<[string, McpDecision | undefined, object]>([
  ["answered", answered("Rome"), { action: "accept", content: { where: "Rome" } }],
  ["declined", { state: "denied", answer: { verdict: "deny" } }, { action: "decline" }],
  ["not answered in time", { state: "expired" }, { action: "cancel" }],
])(
  "C4: what a server asks waits for people; %s, it continues the same call in another session",
  async (...[, decision, response]) => {
    const { server, run } = await start(({ responses }) =>
      responses === undefined ? asking({ requestedSchema }) : done,
    );
    const waiting = await run();
    const key = "ops_deploy.1.1.0";
    const body = "Where to?\n\nThe MCP server ops gets the answer. Do not enter passwords or keys.";
    expect(waiting?.waits?.awaited).toEqual([{ key, kind: "text", title: "The server ops asks: Where to?", body }]);
    const value: unknown = JSON.parse(JSON.stringify(waiting?.waits?.continuation));
    const decided = new Map(decision && [[key, decision]]);
    expect(await run({ continuation: { value }, decided })).toEqual({ text: "deployed", files: [] });
    const [first, second] = server.calls;
    expect(first).toMatchObject({ responses: undefined });
    expect(second).toEqual({
      name: "deploy",
      input: { app: "web" },
      responses: { go: response },
      requestState: "state-1",
    });
  },
);

test("a server may ask again; each round has keys of its own", async () => {
  const { run } = await start(({ requestState }) =>
    requestState === "state-2" ? done : asking({ requestedSchema }, requestState === undefined ? "state-1" : "state-2"),
  );
  const first = await run();
  const decided = new Map([["ops_deploy.1.1.0", answered("Rome")]]);
  const second = await run({ continuation: { value: first?.waits?.continuation }, decided });
  expect(second?.waits?.awaited).toMatchObject([{ key: "ops_deploy.1.2.0" }]);
  decided.set("ops_deploy.1.2.0", answered("Oslo"));
  expect(await run({ continuation: { value: second?.waits?.continuation }, decided })).toMatchObject({
    text: "deployed",
  });
});

test.each<[string, object, Continued, RegExp]>([
  ["a secret", { requestedSchema: { type: "object", properties: { token: { type: "string" } } } }, {}, /a secret/],
  ["anything when the task has no person to ask", { requestedSchema }, { decided: undefined }, /has no person to ask/],
])(
  "G4: a server that asks for %s is declined with a sentence, and the call goes on",
  async (...[, params, how, words]) => {
    const { server, run } = await start(({ responses }) => (responses === undefined ? asking(params) : done));
    const result = await run(how);
    expect(result?.waits).toBeUndefined();
    expect(result?.text).toMatch(/^deployed\n\n\(The server ops asked for input, .*declined\.\)$/);
    expect(result?.text).toMatch(words);
    expect(server.calls[1]?.responses).toEqual({ go: { action: "decline" } });
  },
);

test("G4: a page of the server is never shown, although it was not offered to show one", async () => {
  const page = { mode: "url", url: "https://evil.example/", elicitationId: "1" };
  const server = await startModernServer({
    tools: [{ name: "deploy", inputSchema: { type: "object" } }],
    call: () => done,
    intercept: ({ text }, response) => {
      const { id, method, params } = JSON.parse(text) as { id: unknown; method: string; params: object };
      if (method !== "tools/call" || "inputResponses" in params) return false;
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result: asking(page) }));
      return true;
    },
  });
  const result = await connect(server.url)();
  expect(result?.waits).toBeUndefined();
  expect(result?.text).toMatch(/^deployed\n\n\(The server ops asked for input, to be given on a page of its own/);
  expect(server.calls[0]?.responses).toEqual({ go: { action: "decline" } });
});

test("G4: a server that asks without end, or with endless state, fails the call", async () => {
  const pin = { type: "object", properties: { password: { type: "string" } } };
  const { server, run } = await start(() => asking({ requestedSchema: pin }));
  await expect(run()).rejects.toThrow("ops: it asks too much before it completes a call");
  expect(server.calls).toHaveLength(11);
  const large = await start(() => asking({ requestedSchema }, "x".repeat(70_000)));
  await expect(large.run()).rejects.toThrow("ops: it asks too much");
});

test("a server of 2025 that asks on the connection is declined, and the result says so", async () => {
  const asked: unknown[] = [];
  const { url } = await startMcpServer({
    tools: [mcpTool("deploy")],
    call: async ({ ask }) => {
      asked.push(await ask({ message: "Where to?", requestedSchema: { type: "object", properties: {} } }));
      return done;
    },
  });
  const result = await connect(url)();
  expect(asked).toEqual([{ action: "decline" }]);
  expect(result?.text).toMatch(/^deployed\n\n\(The server ops asked for input, but can't wait for people/);
});
