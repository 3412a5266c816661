import { expect, test } from "vitest";
import type { Agent } from "../../agents/agent.ts";
import { modernRequest } from "../../testing/modern-request.ts";
import { startAskedZone } from "../../testing/start-asked-zone.ts";
import { agentThat, echo } from "../../testing/start-zone.ts";

const report: Agent = {
  ...agentThat(async ({ text }) => ({ response_text: text }), "report"),
  kind: "workflow",
  inputSchema: {
    type: "object",
    properties: {
      topic: { type: "string" },
      pages: { type: "integer" },
      note: { type: "string" },
      style: { enum: ["short", null] },
    },
    required: ["topic"],
    additionalProperties: false,
  },
};

const call = async (name: string, given: object | null) => {
  const params = { name, arguments: given };
  return (await modernRequest(await startAskedZone([echo, report]), "ci", { method: "tools/call", params })).result;
};

test.each<[string, object, string]>([
  ["ask_echo", { message: "hi", context_id: null, request_id: null, files: null }, "hi"],
  ["ask_echo", { message: "hi", context_id: "", request_id: "", files: [] }, "hi"],
  ["run_report", { topic: "cats", pages: null }, '{"topic":"cats"}'],
  // What the schema allows is sent on as it is.
  ["run_report", { topic: "", note: "", style: null, pages: "" }, '{"topic":"","note":"","style":null}'],
])("J27: optional arguments of %s that are null or empty were refused: %j", async (name, given, text) => {
  expect(await call(name, given)).toMatchObject({ structuredContent: { state: "success", text } });
});

test.each<[string, object | null]>([
  ["ask_echo", { message: null }],
  ["ask_echo", { message: "" }],
  ["ask_echo", null],
  ["run_report", { topic: null }],
  ["run_report", { topic: "cats", pages: 0.5 }],
])("J27: what %s needs, or has wrong, is still refused: %j", async (name, given) => {
  expect(await call(name, given)).toMatchObject({ isError: true, structuredContent: { error: "invalid_params" } });
});

const listing = (params?: object | null) => ({ jsonrpc: "2.0", id: 1, method: "tools/list", params });

test.each(["*/*", "", "text/html, */*;q=0.8", "application/*, text/*", "Application/JSON, Text/Event-Stream"])(
  "J38: a client of 2025 that accepts %j got 406",
  async (accept) => {
    const mcp = await startAskedZone([echo]);
    const response = await mcp.post("ci", listing(), { headers: { accept } });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('"ask_echo"');
  },
);

test("J38: a client that accepts only pages is told so", async () => {
  const mcp = await startAskedZone([echo]);
  expect((await mcp.post("ci", listing(), { headers: { accept: "text/html" } })).status).toBe(406);
});

test("J38: an unknown cursor gave the first page; one that is null or empty still does", async () => {
  const mcp = await startAskedZone([echo]);
  const list = (cursor: unknown) => modernRequest(mcp, "ci", { method: "tools/list", params: { cursor } });
  expect((await list("planted")).error).toMatchObject({ code: -32_602 });
  for (const cursor of [null, "", undefined]) expect(await list(cursor)).toHaveProperty("result.tools");
  const earlier = await mcp.post("ci", listing({ cursor: "planted" }));
  expect(await earlier.text()).toContain("-32602");
});
