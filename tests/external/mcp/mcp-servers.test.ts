import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { createMcpServers } from "@crosszone/assistant/mcp";
import { memoryPins } from "@crosszone/assistant/testing/mcp";
import { freePort } from "@crosszone/testkit";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, onTestFinished, test } from "vitest";
import { installOnce, installTimeout, pythonEnv, pythonOf } from "../../harness/install-once.ts";
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

async function inJava(): Promise<CommandLine> {
  const cache = resolve(import.meta.dirname, "../../../node_modules/.cache/java-mcp");
  const pom = join(servers, "java/pom.xml");
  await installOnce(cache, {
    wanted: await readFile(pom, "utf8"),
    install: async (folder) => {
      const args = ["-B", "-q", "-f", pom, "dependency:copy-dependencies", `-DoutputDirectory=${folder}`];
      await promisify(execFile)("mvn", args, { timeout: installTimeout });
    },
  });
  return ["java", "-cp", join(cache, "*"), join(servers, "java/ServeTools.java")];
}

/** Programs that serve the same tools on the libraries of others: over the standard streams, and over HTTP, at a path, with a port as their last argument. */
const foreign: readonly (readonly [string, version: string, () => Promise<CommandLine>, path: string | undefined])[] = [
  ["fastmcp", "4.2.3", () => inPython("fastmcp"), "/mcp"],
  ["MCP SDK for Python", "2.3.0", () => inPython("mcp"), "/mcp"],
  ["MCP SDK for Go", "1.8.0", inGo, "/"],
  ["MCP SDK for Java", "2.1.0", inJava, undefined],
];

test.each(foreign)(
  "J14, J15: every tool of a server on %s is offered, and its answers are read, as a program, and over HTTP where it can",
  async (...[library, version, build, path]) => {
    const [command, ...args] = await build();
    const port = String(await freePort());
    const url = `http://127.0.0.1:${port}${path ?? ""}`;
    if (path !== undefined) await startServer([command, ...args, port], { cwd: servers, url });
    const environment = { PATH: process.env["PATH"] ?? "", ...pythonEnv };
    const program = { command, args, environment, cwd: servers, startMs: 60_000 };
    const ways = path === undefined ? [program] : [{ url, fetch }, program];
    for (const reach of ways) {
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
    noteWorksWith({ name: library, version, as: "MCP server", passed: 6 * ways.length, of: 6 * ways.length });
  },
  300_000,
);
