// suite: rest
import { existsSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, test, vi } from "vitest";
import { connectServer, running } from "../testing/connect-server.ts";
import type { McpProgram } from "./mcp-server.ts";
import { createProgramTransport } from "./program-transport.ts";

const file = join(import.meta.dirname, "../testing/mcp-program.ts");

interface Settings extends Partial<McpProgram> {
  readonly connectMs?: number;
}

function connect(args: readonly string[], { connectMs = 8_000, ...settings }: Settings = {}) {
  const usual = { command: process.execPath, args: [file, ...args], environment: { LISTED: "yes" }, startMs: 20_000 };
  const limits = { connectMs, listedMs: 60_000, failedMs: 60_000 };
  const { mcp, told, turn, names } = connectServer(
    { name: "local", reach: { ...usual, ...settings }, callMs: 5_000 },
    limits,
  );
  const call = async (name: string) => {
    const find = (tool: { readonly name: string }) => tool.name === `local_${name}`;
    try {
      return await turn(async (tools) => tools.find(find)?.run({}, { signal: running, number: 1 }));
    } finally {
      await mcp.close();
    }
  };
  return { mcp, told, names, call };
}

test("G5: a program gets only the variables that are listed for it", async () => {
  vi.stubEnv("AGENT_SECRET_PLANTED", "planted");
  const result = await connect(["serve"]).call("environment");
  expect(JSON.parse(result?.text ?? "")).toEqual({ LISTED: "yes" });
});

test("a program that ends at the question for its version is started again as one of 2025", async () => {
  expect(await connect(["old"]).call("environment")).toMatchObject({ text: '{"LISTED":"yes"}' });
});

test.each([
  ["is silent", ["silent"], "no answer within 1000 ms"],
  ["writes garbage", ["garbage"], "no answer within 1000 ms"],
])("a program that %s costs only the time to connect", async (_what, args, because) => {
  const { mcp, told } = connect(args, { startMs: 1_000 });
  expect((await mcp.openTurn(running)).tools).toEqual([]);
  expect(told).toEqual([because]);
  await mcp.close();
});

test.each([
  ["no such command", { command: "/nowhere/mcp" }],
  ["no such working directory", { cwd: "/nowhere" }],
])("J51: a program with %s was told as no MCP server", async (_what, settings) => {
  const { mcp, told } = connect(["serve"], settings);
  expect((await mcp.openTurn(running)).tools).toEqual([]);
  expect(told).toEqual(["its program can't be started (ENOENT): check command and cwd in the settings"]);
});

test("J51: a program runs in its own working directory", async () => {
  const cwd = tempFolder();
  const result = await connect(["serve"], { cwd }).call("folder");
  expect(result?.text).toBe(realpathSync(cwd));
});

test("J48: the last words of a program that ended at its start were lost; an operator reads them, without its variables", async () => {
  const { mcp, told } = connect(["broken"], { environment: { KEY: "planted-key" } });
  expect((await mcp.openTurn(running)).tools).toEqual([]);
  const words = "its program ended with exit code 4: line 2 / The key [redacted] is not valid. / Set another KEY.";
  expect(told).toEqual([words]);
  await mcp.close();
});

test("J47: a program that starts slowly was never usable; only the first question waits for it, and the next ones use it", async () => {
  const { mcp, told, names } = connect(["slow"], { connectMs: 100 });
  expect(await names()).toEqual([]);
  expect(await names()).toEqual([]);
  await vi.waitUntil(async () => (await names()).length > 0, { timeout: 30_000, interval: 100 });
  expect(told).toEqual([
    "its program has not started within 100 ms: questions are answered without its tools until then",
    "mcp_tools_offered environment, flood, folder, leave",
  ]);
  await mcp.close();
});

test("a program that writes without end or leaves fails the call with the reason", async () => {
  await expect(connect(["serve"]).call("flood")).rejects.toThrow("local: its answer is too large");
  await expect(connect(["serve"]).call("leave")).rejects.toThrow("local: its program ended with exit code 3");
});

test.each([["forks"], ["stubborn"]])(
  "a program that %s ends with the turn, and all that it has started",
  async (how) => {
    const beat = join(tempFolder(), "beat");
    const { mcp } = connect([how, beat]);
    const turn = await mcp.openTurn(running);
    await turn.tools[0]?.run({}, { signal: running, number: 1 });
    if (how === "forks") await vi.waitUntil(() => existsSync(beat));
    const at = performance.now();
    turn.close();
    await mcp.close();
    expect(performance.now() - at).toBeLessThan(30_000);
    rmSync(beat, { force: true });
    await sleep(300);
    expect(existsSync(beat)).toBe(false);
  },
);

test("a program's answer that can't be kept is the error of its call, and the next one is read", async () => {
  const result = '{"content":[{"type":"text","text":"ok","_meta":{"id":-0}}]}';
  const answer = `{"jsonrpc":"2.0","id":7,"result":${result}}`;
  const script = `process.stdin.once("data", () => process.stdout.write(${JSON.stringify(`${answer}\nno message\n${answer.replace("-0", "1")}\n`)}))`;
  const transport = createProgramTransport(
    { command: process.execPath, args: ["-e", script], environment: {}, startMs: 10_000 },
    10_000,
  );
  const messages: unknown[] = [];
  Object.assign(transport, { onmessage: (message: unknown) => messages.push(message) });
  await transport.start();
  await transport.send({ jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "a" } });
  await vi.waitFor(() => expect(messages).toHaveLength(2));
  expect(messages).toMatchObject([
    { id: 7, error: { message: expect.stringContaining("/result/content/0/_meta/id is -0, which would become 0") } },
    { id: 7, result: { content: [{ text: "ok", _meta: { id: 1 } }] } },
  ]);
  await transport.close();
});
