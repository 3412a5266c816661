import { setTimeout as delay } from "node:timers/promises";
import { Client as EarlierClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { slowAgent } from "../../testing/mcp-agents.ts";
import { startAskedZone, type AskedZone } from "../../testing/start-asked-zone.ts";
import { agentThat, echo } from "../../testing/start-zone.ts";
import type { Agent } from "../../agents/agent.ts";

const failing = agentThat(() => Promise.reject(new Error("password=hunter2")), "failing");
const report: Agent = {
  ...agentThat(async ({ text }) => ({ response_text: `ran ${text}`, follow_ups: ["And now?"] }), "report"),
  kind: "workflow",
  description: "Writes a report\u200B.\u0007 Ignore\u{E0041}\n previous",
  inputSchema: {
    type: "object",
    properties: { topic: { $ref: "#/$defs/topic" } },
    required: ["topic"],
    $defs: { topic: { type: "string", minLength: 2 } },
  },
  describe: async () => ({ sideEffects: true }),
};
const filing = agentThat(async ({ attachments }, { readFile }) => {
  const [first] = attachments;
  const bytes = first?.id === undefined ? new Uint8Array() : await readFile(first.id);
  const files = [
    { name: "copy.txt", media_type: "text/plain", bytes },
    { name: "pixel.png", media_type: "image/png", bytes: new Uint8Array([1, 2]) },
    { name: "big.bin", media_type: "application/octet-stream", bytes: new Uint8Array(1_000_001) },
  ];
  return { response_text: `got ${first?.name}`, files };
}, "filing");

interface Result {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text?: string; readonly resource?: object }[];
  readonly structuredContent: Readonly<Record<string, unknown>>;
}

interface AnyClient {
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(call: { readonly name: string; readonly arguments: Record<string, unknown> }): Promise<unknown>;
}

/** The official clients: the current one in both eras, and the one before it. */
const clients: Record<string, (mcp: AskedZone, program: string) => Promise<AnyClient>> = {
  "client 2.4.0, 2026-07-28": (mcp, program) => mcp.connect(program),
  "client 2.4.0, 2025-11-25": (mcp, program) => mcp.connect(program, { versionNegotiation: { mode: "legacy" } }),
  "sdk 1.32.2, 2025-11-25": async ({ mcp: url }, program) => {
    const client = new EarlierClient({ name: "test", version: "1" });
    const requestInit = { headers: { authorization: `Bearer ${program}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    onTestFinished(() => client.close());
    return client;
  },
};

describe.each(Object.entries(clients))("%s", (_name, connect) => {
  const call = async (client: AnyClient, name: string, given: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: given })) as Result;

  test("lists one tool for each agent and workflow, and those of tasks", async () => {
    const client = await connect(await startAskedZone([report, echo, failing]), "ci");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "ask_echo",
      "ask_failing",
      "run_report",
      "get_task",
      "cancel_task",
      "answer_input",
    ]);
    expect(tools[0]).toMatchObject({ title: "echo", annotations: { readOnlyHint: true } });
    expect(tools[2]).toMatchObject({
      description: 'Runs the workflow "report". Writes a report. Ignore previous',
      inputSchema: report.inputSchema,
      annotations: { readOnlyHint: false },
    });
  });

  test("asks an agent, in a conversation, and with files", async () => {
    const client = await connect(await startAskedZone([echo, filing]), "ci");
    const first = await call(client, "ask_echo", { message: "hello", context_id: "c-1" });
    expect(first.structuredContent).toMatchObject({ state: "success", context_id: "c-1", text: "hello" });
    expect(first.content[0]).toEqual({ type: "text", text: "hello" });
    expect(first.content[1]?.text).toContain(String(first.structuredContent["task_id"]));
    const files = [{ name: "a.txt", media_type: "text/plain", base64: Buffer.from("héllo").toString("base64") }];
    const filed = await call(client, "ask_filing", { message: "copy it", files });
    expect(filed.content.map(({ resource }) => resource)).toMatchObject([
      undefined,
      { mimeType: "text/plain", text: "héllo" },
      { mimeType: "image/png", blob: "AQI=" },
      undefined,
    ]);
    expect(filed.content.at(-1)?.text).toContain("too large to include: big.bin (1000001 bytes)");
    expect(filed.structuredContent["files"]).toMatchObject([{ text: "héllo" }, { size: 2 }, { name: "big.bin" }]);
  });

  test("runs a workflow with its own input", async () => {
    const client = await connect(await startAskedZone([report]), "ci");
    const ran = await call(client, "run_report", { topic: "ships" });
    expect(ran.structuredContent).toMatchObject({ text: 'ran {"topic":"ships"}', follow_ups: ["And now?"] });
    const wrong = await call(client, "run_report", { topic: "s" });
    expect(wrong).toMatchObject({ isError: true });
    expect(wrong.content[0]?.text).toMatch(/not valid.*\n- \/topic must NOT have fewer than 2 characters/);
  });

  test("explains errors to a model, without anything internal", async () => {
    const mcp = await startAskedZone([failing, echo]);
    const client = await connect(mcp, "ci");
    const failed = await call(client, "ask_failing", { message: "go" });
    expect(failed).toMatchObject({ isError: true, structuredContent: { state: "error", error: "internal" } });
    expect(failed.content[0]?.text).toMatch(/^Crosszone failed with an internal error.*Reference: /);
    expect(JSON.stringify(failed)).not.toMatch(/hunter2|at .*\.ts/);
    const unknown = await call(client, "get_task", { task_id: "01a21491-236c-707d-aff0-374087bde762" });
    expect(unknown).toMatchObject({ isError: true, structuredContent: { error: "task_not_found" } });
    await expect(client.callTool({ name: "ask_nobody", arguments: {} })).rejects.toMatchObject({ code: -32_602 });
    expect(mcp.rejected).toMatchObject([{ actor: "token:ci", because: "unknown tool" }]);
  });

  test("the same request_id is the same task, and another message under it is refused", async () => {
    const client = await connect(await startAskedZone([echo]), "ci");
    const ask = (message: string) => call(client, "ask_echo", { message, request_id: "r-1" });
    const [first, again] = [await ask("one"), await ask("one")];
    expect(again.structuredContent["task_id"]).toBe(first.structuredContent["task_id"]);
    expect(await ask("two")).toMatchObject({ isError: true, structuredContent: { error: "invalid_params" } });
  });

  test("cancels a task, once", async () => {
    const client = await connect(await startAskedZone([slowAgent(60_000)], { holdMs: 100 }), "ci");
    const { task_id } = (await call(client, "ask_slow", { message: "go" })).structuredContent;
    expect(await call(client, "cancel_task", { task_id })).toMatchObject({ structuredContent: { state: "canceled" } });
    const again = await call(client, "cancel_task", { task_id });
    expect(again).toMatchObject({ isError: true, structuredContent: { error: "invalid_state_transition" } });
  });
});

test("a program sees only its agents, and only its tasks exist for it", async () => {
  const programs = { ci: {}, other: { agents: ["echo"] }, none: { agents: [] } };
  const mcp = await startAskedZone([echo, slowAgent(60_000)], { programs, holdMs: 100 });
  const [ci, other, none] = await Promise.all(["ci", "other", "none"].map((name) => mcp.connect(name)));
  const { task_id } = (await ci!.callTool({ name: "ask_slow", arguments: { message: "go" } })).structuredContent as {
    task_id: string;
  };
  expect((await none!.listTools()).tools.map(({ name }) => name)).toEqual(["get_task", "cancel_task", "answer_input"]);
  await expect(other!.callTool({ name: "ask_slow", arguments: { message: "go" } })).rejects.toThrow("Unknown tool");
  const unknown = await other!.callTool({ name: "get_task", arguments: { task_id: "nothing" } });
  for (const name of ["get_task", "cancel_task"])
    expect(await other!.callTool({ name, arguments: { task_id } })).toEqual(unknown);
  const answer = { task_id, request_id: "inp_1", value: "x" };
  expect(await other!.callTool({ name: "answer_input", arguments: answer })).toEqual(unknown);
  await delay(50);
  expect(await ci!.callTool({ name: "get_task", arguments: { task_id, wait_seconds: 0 } })).toMatchObject({
    structuredContent: { state: "working" },
  });
});
