import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { createMcpServers } from "@crosszone/assistant/mcp";
import { memoryPins } from "@crosszone/assistant/testing/mcp";
import { freePort } from "@crosszone/testkit";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, onTestFinished, test } from "vitest";
import { pythonEnv, pythonOf } from "../../harness/install-once.ts";
import { type CommandLine, startServer } from "../../harness/run-program.ts";
import { noteWorksWith } from "../works-with.ts";

const servers = join(import.meta.dirname, "servers");
const running = new AbortController().signal;

const inPython = async (library: string): Promise<CommandLine> => {
  const python = await pythonOf(resolve(import.meta.dirname, "../../full/interop/clients/requirements-fastmcp.txt"));
  return [python, join(servers, "serve_tools.py"), library];
};

async function inGo(): Promise<CommandLine> {
  const program = join(tempFolder(), "serve-tools");
  await promisify(execFile)("go", ["build", "-o", program, "."], { cwd: join(servers, "go"), timeout: 170_000 });
  return [program];
}

/** Programs that serve the same tools on the libraries of others: over the standard streams, and over HTTP with a port as their last argument. */
const foreign: readonly (readonly [string, version: string, () => Promise<CommandLine>, path: string])[] = [
  ["fastmcp", "4.2.3", () => inPython("fastmcp"), "/mcp"],
  ["MCP SDK for Python", "2.3.0", () => inPython("mcp"), "/mcp"],
  ["MCP SDK for Go", "1.8.0", inGo, "/"],
];

test.each(foreign)(
  "J14, J15: every tool of a server on %s is offered, and its answers are read, over HTTP and as a program",
  async (...[library, version, build, path]) => {
    const [command, ...args] = await build();
    const port = String(await freePort());
    const url = `http://127.0.0.1:${port}${path}`;
    await startServer([command, ...args, port], { cwd: servers, url });
    const environment = { PATH: process.env["PATH"] ?? "", ...pythonEnv };
    const program = { command, args, environment, cwd: servers, startMs: 60_000 };
    for (const reach of [{ url, fetch }, program]) {
      const told: unknown[] = [];
      const mcp = createMcpServers({
        servers: [{ name: "tools", reach, isReadOnly: true, callMs: 30_000 }],
        pins: memoryPins(),
        limits: { connectMs: 30_000, mostBytes: 1_000_000, listedMs: 60_000, failedMs: 0 },
        emit: (event, ...[fields]) => told.push([event, (fields as { readonly tools?: unknown }).tools]),
      });
      onTestFinished(() => mcp.close());
      const { tools, close } = await mcp.openTurn(running);
      expect(told).toEqual([["mcp_tools_offered", ["fails", "find", "names", "nothing", "total"]]]);
      const call = async (name: string, input: unknown = {}) =>
        tools.find((tool) => tool.name === `tools_${name}`)?.run(input, { signal: running, number: 1 });
      expect((await call("total"))?.text).toMatch(/total"?: ?36/);
      expect((await call("names", null))?.text).toMatch(/Ada[^]*Grace/);
      expect(await call("fails")).toMatchObject({
        failed: true,
        text: expect.stringMatching(/no such page|Error executing tool/) as string,
      });
      expect((await call("nothing"))?.text).not.toBe("");
      expect(await call("find", { tags: ["a"], kind: "page" })).not.toMatchObject({ failed: true });
      close();
    }
    noteWorksWith({ name: library, version, as: "MCP server", passed: 12, of: 12 });
  },
  300_000,
);
