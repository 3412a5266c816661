import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { tempFolder } from "@crosszone/testkit/temporary";
import { describe, expect, test } from "vitest";
import { npmFolderOf } from "../../harness/install-once.ts";
import { noteWorksWith } from "../works-with.ts";
import { agentThat, mcpServe, startAsked } from "../../harness/start-called-zone.ts";

const version = "2.12.0";

const echo = agentThat("echo", async ({ text }) => ({ response_text: text }));
const slow = agentThat("slow", async (_input, { signal }) => {
  await delay(2_000, undefined, { signal });
  return { response_text: "done" };
});
const failing = agentThat("failing", () => Promise.reject(new Error("no")));

/** Runs the Inspector without a window. Its target is before its options. */
async function inspect(target: readonly string[], ...options: string[]) {
  const program = join(
    await npmFolderOf("inspector", `@modelcontextprotocol/inspector@${version}`),
    "node_modules/.bin/mcp-inspector",
  );
  const args = [program, "--cli", ...target, ...options, "--format", "json"];
  const env = { ...process.env, HOME: tempFolder({}), NODE_NO_WARNINGS: "1" };
  const ran = promisify(execFile)(process.execPath, args, { env, timeout: 60_000 });
  return ran.then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    (error: { readonly code: number; readonly stdout: string }) => ({ code: error.code, out: error.stdout }),
  );
}

const overHttp = (url: string, token = "ci"): [string[], string[]] => [
  [url],
  ["--transport", "http", "--stored-auth-only", "--header", `Authorization: Bearer ${token}`],
];
const overStdio = (url: string): [string[], string[]] => {
  const { command, args, env } = mcpServe(url);
  return [
    [command, ...args],
    ["-e", `ASK=${env.ASK}`],
  ];
};

describe.each([
  ["HTTP", overHttp],
  ["crosszone programs mcp", overStdio],
] as const)(`MCP Inspector ${version} over %s`, (_name, way) => {
  test.each(["modern", "legacy"])("C1: lists and calls tools, %s", async (era) => {
    const [target, options] = way((await startAsked({ agents: [echo, slow, failing] })).mcp);
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
  const [target, options] = overHttp((await startAsked({ agents: [echo] })).mcp, "wrong");
  expect((await inspect(target, ...options, "--protocol-era", "modern", "--method", "tools/list")).code).toBe(3);
  // 5 calls over each transport in each era, and this one.
  noteWorksWith({ name: "MCP Inspector", version, as: "MCP client", passed: 21, of: 21 });
});
