import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { Agent } from "@crosszone/execution";
import { tempFolder } from "@crosszone/testkit/temporary";
import { describe, expect, test } from "vitest";
import { installOnce, installTimeout, newestPackages } from "../../harness/install-once.ts";
import { askToken, startMcpZone } from "../../harness/start-mcp-zone.ts";

const inspector = "@modelcontextprotocol/inspector@2.12.0";
const cache = resolve(import.meta.dirname, "../../../node_modules/.cache/npm");
const cli = resolve(import.meta.dirname, "../../../packages/cli/src/main.ts");

const agentThat = (name: string, run: Agent["run"]): Agent => ({ name, description: "", skills: [], run });
const echo = agentThat("echo", async ({ text }) => ({ response_text: text }));
const slow = agentThat("slow", async (_input, { signal }) => {
  await delay(2_000, undefined, { signal });
  return { response_text: "done" };
});
const failing = agentThat("failing", () => Promise.reject(new Error("no")));

/** Returns the program. Installs it on first use: it has 120 packages. */
async function inspectorOf(): Promise<string> {
  const folder = join(cache, "inspector");
  await installOnce(folder, {
    wanted: `${newestPackages}\n${inspector}`,
    install: async () => {
      await mkdir(folder, { recursive: true });
      // Without one npm would install into the repository.
      await writeFile(join(folder, "package.json"), "{}");
      const options = ["--ignore-scripts", `--before=${newestPackages}`, inspector];
      await promisify(execFile)("npm", ["install", ...options], { cwd: folder, timeout: installTimeout });
    },
  });
  return join(folder, "node_modules/.bin/mcp-inspector");
}

/** Runs the Inspector without a window. Its target is before its options. */
async function inspect(target: readonly string[], ...options: string[]) {
  const program = await inspectorOf();
  const args = [program, "--cli", ...target, ...options, "--format", "json"];
  const env = { ...process.env, HOME: tempFolder({}), NODE_NO_WARNINGS: "1" };
  const ran = promisify(execFile)(process.execPath, args, { env, timeout: 60_000 });
  return ran.then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    (error: { readonly code: number; readonly stdout: string }) => ({ code: error.code, out: error.stdout }),
  );
}

const overHttp = (url: string, token = askToken): [string[], string[]] => [
  [url],
  ["--transport", "http", "--stored-auth-only", "--header", `Authorization: Bearer ${token}`],
];
const overStdio = (url: string, token = askToken): [string[], string[]] => [
  [process.execPath, "--conditions=@crosszone/source", cli, "mcp", "serve", "--url", url, "--token-env", "ASK"],
  ["-e", `ASK=${token}`],
];

describe.each([
  ["HTTP", overHttp],
  ["crosszone mcp serve", overStdio],
] as const)("MCP Inspector 2.12.0 over %s", (_name, way) => {
  test.each(["modern", "legacy"])("lists and calls tools, %s", async (era) => {
    const [target, options] = way(await startMcpZone([echo, slow, failing]));
    const run = (...more: string[]) => inspect(target, ...options, "--protocol-era", era, ...more);
    const listed = await run("--method", "tools/list");
    expect([listed.code, listed.out]).toEqual([0, expect.stringContaining('"ask_echo"')]);
    const call = (name: string) => run("--method", "tools/call", "--tool-name", name, "--tool-arg", "message=hi");
    const [echoed, done, failed, unknown] = [
      await call("ask_echo"),
      await call("ask_slow"),
      await call("ask_failing"),
      await call("ask_nobody"),
    ];
    expect([echoed.code, echoed.out]).toEqual([0, expect.stringContaining('"text":"hi"')]);
    expect([done.code, done.out]).toEqual([0, expect.stringContaining('"text":"done"')]);
    expect([failed.code, failed.out]).toEqual([5, expect.stringContaining("internal error")]);
    expect(unknown.code).toBe(5);
  });
});

test("the Inspector is rejected without a valid token", async () => {
  const [target, options] = overHttp(await startMcpZone([echo]), "wrong");
  expect((await inspect(target, ...options, "--protocol-era", "modern", "--method", "tools/list")).code).toBe(3);
});
