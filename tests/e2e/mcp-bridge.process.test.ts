// suite: rest
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, onTestFinished, test } from "vitest";
import { runProgram } from "../harness/run-program.ts";
import { agentThat, mcpServe, startAsked } from "../harness/start-called-zone.ts";

const echo = agentThat("echo", async ({ text }) => ({ response_text: text }));
let stopped = 0;
const slow = agentThat("slow", async (_input, { signal }) => {
  signal.addEventListener("abort", () => (stopped += 1));
  await delay(600, undefined, { signal });
  return { response_text: "done" };
});

interface Bridge {
  readonly url: string;
  readonly mode: "auto" | "legacy";
  readonly token?: string;
  /** Receives its standard error. */
  readonly onError?: (text: string) => void;
}

async function connect({ url, mode, token, onError }: Bridge): Promise<Client> {
  const transport = new StdioClientTransport({ ...mcpServe(url, token), stderr: "pipe" });
  transport.stderr?.on("data", (piece: Buffer) => onError?.(piece.toString()));
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  onTestFinished(() => client.close());
  await client.connect(transport);
  return client;
}

describe.each(["auto", "legacy"] as const)("crosszone programs mcp, %s", (mode) => {
  test("relays calls, many at once, with progress and cancellation", async () => {
    const client = await connect({ url: (await startAsked({ agents: [echo, slow], holdMs: 200 })).mcp, mode });
    expect(client.getProtocolEra()).toBe(mode === "auto" ? "modern" : "legacy");
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("ask_echo");
    const messages = ["привіт", "two\nlines", "x".repeat(100_000)];
    const ask = async (message: string) => client.callTool({ name: "ask_echo", arguments: { message } });
    const results = await Promise.all(messages.map(ask));
    expect(results.map(({ structuredContent }) => structuredContent)).toMatchObject(messages.map((text) => ({ text })));
    const notes: unknown[] = [];
    const ended = await client.callTool(
      { name: "ask_slow", arguments: { message: "go" } },
      { onprogress: (note) => notes.push(note) },
    );
    expect(ended.structuredContent).toMatchObject({ text: "done" });
    expect(notes.length).toBeGreaterThan(0);
    const signal = AbortSignal.timeout(100);
    await expect(client.callTool({ name: "ask_slow", arguments: { message: "go" } }, { signal })).rejects.toThrow(
      "timeout",
    );
    await expect.poll(() => stopped).toBe(mode === "auto" ? 1 : 2);
    expect((await ask("still here")).structuredContent).toMatchObject({ text: "still here" });
    await expect(client.callTool({ name: "ask_№1", arguments: {} })).rejects.toThrow("Unknown tool");
  });

  test("says on the standard error why it can't reach the zone", async () => {
    let err = "";
    const onError = (text: string): void => void (err += text);
    const { mcp: url } = await startAsked({ agents: [echo] });
    await expect(connect({ url, mode, token: "wrong", onError })).rejects.toThrow("rejects the token");
    await expect(connect({ url: "http://127.0.0.1:1/mcp", mode, onError })).rejects.toThrow("Cannot reach");
    expect(err).toMatch(
      /rejects the token\. Use a token with the scope ask\.\n[^]*Cannot reach http:\/\/127\.0\.0\.1:1\/mcp: /,
    );
  });
});

test("the command line is checked before anything is sent", async () => {
  const run = (...words: string[]) =>
    runProgram("tools/cli/src/main.ts", { CROSSZONE_TOKEN: "" }, "programs", "mcp", ...words);
  const [noUrl, noToken, help] = await Promise.all([run(), run("--url", "http://127.0.0.1:1/mcp"), run("--help")]);
  expect(noUrl).toMatchObject({ code: 2, out: "", err: expect.stringContaining("--url must start with") as string });
  expect(noToken).toMatchObject({ code: 2, err: expect.stringContaining("CROSSZONE_TOKEN must be set") as string });
  expect(help).toMatchObject({ code: 0, out: expect.stringContaining("--token-env <name>") as string });
});
