// suite: both
import { cpuMsOf, someOf } from "@crosszone/testkit/cpu";
import { expect, test } from "vitest";
import type { Agent } from "../../agents/agent.ts";
import { modernRequest } from "../../testing/modern-request.ts";
import { startAskedZone } from "../../testing/start-asked-zone.ts";
import { agentThat, echo } from "../../testing/start-zone.ts";

const call = (name: string, given: object) => ({ method: "tools/call", params: { name, arguments: given } });
const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } },
};

const listing = { jsonrpc: "2.0", id: 1, method: "tools/list" };

test("10,000 agents become two tools that find and ask them", async () => {
  const many = Array.from({ length: 10_000 }, (_, at) => ({
    ...agentThat(async () => ({ response_text: `I am ${at}` }), `agent-${at}`),
    description: at === 4_711 ? "Knows all about Kölnisch Wasser" : "One of many. ".repeat(50),
  }));
  const workflow: Agent = {
    ...agentThat(async ({ text }) => ({ response_text: text }), "zz-flow"),
    kind: "workflow",
    inputSchema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
  };
  const mcp = await startAskedZone([...many, workflow]);
  const client = await mcp.connect("ci");
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "list_agents",
    "ask_agent",
    "get_task",
    "cancel_task",
    "answer_input",
  ]);
  const list = async (given: Record<string, unknown>) =>
    (await client.callTool({ name: "list_agents", arguments: given })).structuredContent as {
      readonly agents: readonly { readonly name: string; readonly input_schema?: object }[];
      readonly next?: string;
    };
  expect((await list({ search: "kölnisch" })).agents.map(({ name }) => name)).toEqual(["agent-4711"]);
  const first = await list({});
  expect(JSON.stringify(first).length).toBeLessThan(25_000);
  expect((await list({ after: first.next })).agents[0]?.name).toBe(many.map(({ name }) => name).toSorted()[50]);
  expect((await list({ after: "zz" })).agents).toMatchObject([{ name: "zz-flow", input_schema: workflow.inputSchema }]);
  const ask = async (given: Record<string, unknown>) =>
    (await client.callTool({ name: "ask_agent", arguments: given })).structuredContent;
  expect(await ask({ agent: "agent-9999", message: "who?" })).toMatchObject({ text: "I am 9999" });
  expect(await ask({ agent: "zz-flow", input: { n: 1 } })).toMatchObject({ text: '{"n":1}' });
  expect(await ask({ agent: "zz-flow", input: { n: "one" } })).toMatchObject({ error: "invalid_params" });
  expect(await ask({ agent: "agent-1" })).toMatchObject({ error: "invalid_params" });
  expect(await ask({ agent: "agent-10000", message: "who?" })).toMatchObject({ error: "unknown_agent" });
  expect(mcp.rejected).toHaveLength(1);
});

test.each<[string, string, number]>([
  ["no JSON", "{", 400],
  ["a batch", JSON.stringify([listing, { ...listing, id: 2 }]), 400],
  ["a deep argument", `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'{"a":'.repeat(70)}1${"}".repeat(71)}`, 400],
])("a body that is %s is refused as JSON-RPC", async (_name, body, status) => {
  const mcp = await startAskedZone([echo]);
  const response = await mcp.post("ci", body);
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({
    jsonrpc: "2.0",
    id: null,
    error: { code: expect.any(Number) as number },
  });
  expect((await mcp.post("ci", initialize)).status).toBe(200);
});

test("only POST is served", async () => {
  const { mcp } = await startAskedZone([echo]);
  for (const method of ["GET", "DELETE"])
    expect((await fetch(mcp, { method, headers: { authorization: "Bearer ci" } })).status).toBe(405);
});

test("arguments are checked by the tool's schema", async () => {
  const mcp = await startAskedZone([echo]);
  const resultOf = async (name: string, given: object) => (await modernRequest(mcp, "ci", call(name, given))).result;
  for (const given of [
    { message: 1 },
    { message: "hi", agent: "other" },
    { message: "hi", context_id: "x".repeat(257) },
    { message: "hi", files: [{ name: "a", media_type: "text/plain", base64: "not base64!" }] },
    { message: "hi", files: Array.from({ length: 21 }, () => ({ name: "a", media_type: "a/b", base64: "" })) },
  ])
    expect({ given, ...(await resultOf("ask_echo", given)) }).toMatchObject({
      isError: true,
      structuredContent: { error: "invalid_params" },
    });
});

// It needs seconds.
test.each(someOf(["^(a+)+$"], 0))("a schema that is expensive to check ends in time: %s", async (pattern) => {
  const costly: Agent = {
    ...agentThat(async ({ text }) => ({ response_text: text }), "costly"),
    kind: "workflow",
    inputSchema: { type: "object", properties: { a: { type: "string", pattern } } },
  };
  const mcp = await startAskedZone([costly]);
  const spentMs = await cpuMsOf(async () => {
    const { result } = await modernRequest(mcp, "ci", call("run_costly", { a: `${"a".repeat(40)}!` }));
    expect(result).toMatchObject({ isError: true });
  });
  expect(spentMs).toBeLessThan(5_000);
});

/** Every character that displays as nothing, as a blank that is no space, or that changes the direction of others. */
const unseen = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter((one) =>
  /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Zl}\p{Zp}\u00A0\u1680\u2000-\u200A\u202F\u205F\u2800\u3000]/u.test(one),
);

test("what an agent's author wrote can't hide anything from people or fill a model's context", async () => {
  const hidden = unseen.join("");
  const description = `\u001b[2J${hidden}${"long ".repeat(10_000)}`;
  const author: Agent = { ...echo, name: `e\u202Evil${hidden}!`, description };
  const [tool] = (await (await (await startAskedZone([author])).connect("ci")).listTools()).tools;
  expect(tool?.title).toBe("evil !");
  expect(tool?.description?.length).toBeLessThan(1_100);
  const shown = JSON.stringify(tool);
  expect(shown).not.toContain("\\u001b");
  expect(unseen.filter((one) => shown.includes(one))).toEqual([]);
});
