import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test } from "vitest";
import { npmFolderOf, pythonEnv, pythonOf } from "../../harness/install-once.ts";
import { noteWorksWith } from "../works-with.ts";
import { agentThat, mcpServe, startAsked } from "../../harness/start-called-zone.ts";

const clients = join(import.meta.dirname, "clients");

/** Starts a zone with an agent that answers, one that fails, one that takes longer than 5 seconds, and one that works until it is stopped. */
async function start() {
  const seen = { stopped: 0 };
  const wait = (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal });
  const agents = [
    agentThat("echo", async ({ text }) => ({ response_text: text })),
    agentThat("failing", () => Promise.reject(new Error("no"))),
    agentThat("slow", async (_input, { signal }) => {
      await wait(6_500, signal);
      return { response_text: "done" };
    }),
    agentThat("endless", async (_input, { signal }) => {
      await wait(120_000, signal).finally(() => (seen.stopped += 1));
      return { response_text: "too late" };
    }),
  ];
  return { url: (await startAsked({ agents })).mcp, seen };
}

const overHttp = (url: string) => ({ url, headers: { authorization: "Bearer ci" } });
const overStdio = (url: string) => mcpServe(url);
type Target = ReturnType<typeof overHttp> | ReturnType<typeof overStdio>;
type Result = readonly [isError: boolean, text: string];

/** What a client got. */
interface Shown {
  readonly version: string;
  readonly tools: readonly string[];
  readonly echo: Result;
  readonly failing: Result;
  readonly slow: Result;
  readonly again: Result;
}

interface Foreign {
  readonly name: string;
  readonly use: (target: Target) => Promise<Shown>;
  readonly note?: string;
  /** Whether it leaves the agent of a canceled call at work. */
  readonly keepsAgent?: true;
}

/** Runs a program of `clients`. */
const inPython =
  (program: string, requirements: string): Foreign["use"] =>
  async (target) => {
    const python = await pythonOf(resolve(clients, requirements));
    const env = { ...process.env, ...pythonEnv };
    const args = [join(clients, program), JSON.stringify(target)];
    const { stdout } = await promisify(execFile)(python, args, { env, timeout: 90_000 });
    return JSON.parse(stdout) as Shown;
  };

/** Does what `drive.py` does. */
async function drive(
  version: string,
  tools: readonly string[],
  call: (tool: string, message: string, signal?: AbortSignal) => Promise<Result>,
): Promise<Shown> {
  const [echo, failing, slow] = [
    await call("ask_echo", "hi"),
    await call("ask_failing", "hi"),
    await call("ask_slow", "hi"),
  ];
  await call("ask_endless", "go", AbortSignal.timeout(1_500)).catch(() => undefined);
  await delay(2_000);
  return { version, tools, echo, failing, slow, again: await call("ask_echo", "again") };
}

const textOf = (content: unknown): string =>
  (content as { readonly text?: string }[]).map(({ text = "" }) => text).join("\n");

const mastra = "2.0.0";

async function useMastra(target: Target): Promise<Shown> {
  const folder = await npmFolderOf("mastra-mcp", `@mastra/mcp@${mastra}`);
  const { MCPClient } = await import(pathToFileURL(join(folder, "node_modules/@mastra/mcp/dist/index.js")).href);
  const server = "url" in target ? { url: new URL(target.url), requestInit: { headers: target.headers } } : target;
  const client = new MCPClient({ servers: { crosszone: { ...server, onToolError: "throw" } } });
  onTestFinished(() => client.disconnect());
  const tools = await client.listTools();
  return drive(
    mastra,
    Object.keys(tools).map((name) => name.replace(/^crosszone_/, "")),
    async (name, message, abortSignal) => {
      const called = tools[`crosszone_${name}`].execute({ message }, { abortSignal });
      return called.then(
        ({ text, task_id: id }: { text: string; task_id: string }) => [false, `${text}\n${id}`],
        (error: Error) => [true, error.message],
      );
    },
  );
}

const remote = "0.15.1";

/** A bridge from the standard streams to HTTP, behind the official client. */
async function useRemote({ url, headers }: ReturnType<typeof overHttp>): Promise<Shown> {
  const folder = await npmFolderOf("mcp-remote", `mcp-remote@${remote}`);
  const program = join(folder, "node_modules/mcp-remote/dist/proxy.js");
  const options = ["--transport", "http-only", "--header", `Authorization:${headers.authorization}`];
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
  onTestFinished(() => client.close());
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [program, url, ...options], stderr: "inherit" }),
  );
  const { tools } = await client.listTools();
  return drive(
    remote,
    tools.map(({ name }) => name),
    async (name, message, signal) => {
      const result = await client.callTool({ name, arguments: { message } }, { ...(signal && { signal }) });
      return [result.isError === true, textOf(result.content)];
    },
  );
}

const foreign: readonly Foreign[] = [
  { name: "fastmcp", use: inPython("fastmcp_client.py", "../../../full/interop/clients/requirements-fastmcp.txt") },
  {
    name: "langchain-mcp-adapters",
    use: inPython("langchain_client.py", "requirements-langchain.txt"),
    note: "It never tells the zone that a call is canceled.",
    keepsAgent: true,
  },
  {
    name: "OpenAI Agents SDK for Python",
    use: inPython("openai_agents_client.py", "requirements-openai-agents.txt"),
    note: "Set `client_session_timeout_seconds=60`: its default is 5.",
  },
  { name: "Mastra MCPClient", use: useMastra },
  { name: "mcp-remote", use: (target) => useRemote(target as ReturnType<typeof overHttp>) },
];

test.each(foreign)(
  "C1, C2: $name lists and calls tools, and cancels a call",
  async ({ name, use, note, keepsAgent }) => {
    // A bridge has standard streams of its own.
    const ways = name === "mcp-remote" ? [overHttp] : [overHttp, overStdio];
    let version = "";
    for (const way of ways) {
      const { url, seen } = await start();
      const shown = await use(way(url));
      ({ version } = shown);
      expect(shown.tools).toEqual(expect.arrayContaining(["ask_echo", "ask_slow", "get_task", "cancel_task"]));
      expect(shown.echo).toEqual([false, expect.stringMatching(/^hi\n/)]);
      expect(shown.failing).toEqual([true, expect.stringContaining("internal error")]);
      expect(shown.slow).toEqual([false, expect.stringMatching(/^done\n/)]);
      expect(shown.again).toEqual([false, expect.stringMatching(/^again\n/)]);
      expect({ way: way.name, ...seen }).toEqual({ way: way.name, stopped: keepsAgent ? 0 : 1 });
    }
    const of = 6 * ways.length;
    noteWorksWith({
      name,
      version,
      as: "MCP client",
      passed: keepsAgent ? of - ways.length : of,
      of,
      ...(note && { note }),
    });
  },
);
