import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mcpTool, startMcpServer, type McpServerBehavior } from "@crosszone/assistant/testing/mcp";
import { expect, onTestFinished, test } from "vitest";
import { anthropic, startModel, startWithModel } from "../testing/start-with-model.ts";
import { task } from "../testing/start-zone.ts";

async function serve(behavior: Partial<McpServerBehavior> = {}) {
  const server = await startMcpServer({ tools: [mcpTool("find")], ...behavior });
  onTestFinished(() => server.stop());
  return server;
}

/** Starts a zone with a model and MCP servers. */
async function startWithMcp(env: Record<string, string>, environment: Record<string, string> = {}) {
  const mock = await startModel();
  return { mock, ...(await startWithModel({ ...anthropic(mock), ...env }, { environment })) };
}

const secret = { AGENT_SECRET_WIKI: "planted-token" };
const wiki = (url: string) => ({ MCP_SERVERS: `wiki=${url} env:AGENT_SECRET_WIKI` });

test("G2, G5: the model answers with an MCP tool's result; the token is in no log and no model request", async () => {
  const png = Buffer.from("iVBORw0KGgo=", "base64").toString("base64");
  const { url } = await serve({
    token: "planted-token",
    call: async ({ input }) => ({
      content: [
        { type: "text", text: `Page about ${String(input["text"])}` },
        { type: "image", data: png, mimeType: "image/png" },
      ],
    }),
  });
  const { zone, mock, log } = await startWithMcp(wiki(url), secret);
  mock.on({ userMessage: "cats", hasToolResult: true }, { content: "Cats purr." });
  mock.on({ userMessage: "cats" }, { toolCalls: [{ name: "wiki_find", arguments: { text: "cats" } }] });
  const answer = await zone.call("execute_task", task({ text: "Look up cats", user_id: "U1" }));
  expect(answer).toMatchObject({
    result: { response_text: "Cats purr.", files: [{ name: "image-1.png", media_type: "image/png" }] },
  });
  const sent = JSON.stringify(mock.getRequests().map(({ body }) => body));
  expect(sent).toContain("Page about cats");
  expect(log.join("")).toContain('"mcp_tools_offered"');
  expect(sent + log.join("") + JSON.stringify(zone.log)).not.toContain("planted-token");
  const listed = JSON.stringify(await zone.call("list_agents", {}));
  expect(listed).toContain("MCP servers: wiki.");
});

test("G2: an unreachable server costs a question only its tools, and is logged", async () => {
  const server = await serve();
  const dead = await serve();
  await dead.stop();
  const env = { MCP_SERVERS: `wiki=${server.url} env:AGENT_SECRET_WIKI, dead=${dead.url}` };
  const { zone, mock, log } = await startWithMcp(env, secret);
  mock.on({}, { content: "Hello." });
  const ask = (id: string) => zone.call("execute_task", task({ text: "hello", user_id: "U1" }), id);
  expect(await ask("1")).toMatchObject({ result: { response_text: "Hello." } });
  expect(log.join("")).toMatch(/"server":"dead","because":"it can't be reached \(ECONNREFUSED\)"/);
  expect(JSON.stringify(mock.getRequests()[0]?.body)).toContain("wiki_find");
});

test("G5: a token can be a file; an unreadable file stops the start with what to do", async () => {
  const dir = mkdtempSync(join(tmpdir(), "mcp-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  writeFileSync(join(dir, "wiki-token"), "planted-token\n");
  const { url } = await serve({ token: "planted-token" });
  const { mcp } = await startWithMcp({ MCP_SERVERS: `wiki=${url} file:wiki-token`, AGENT_SECRETS_DIR: dir });
  const { tools } = (await mcp?.openTurn(new AbortController().signal)) ?? {};
  expect(tools).toHaveLength(1);
  await expect(startWithMcp(wiki(url))).rejects.toThrow(
    "MCP_SERVERS can't be used: The secret env:AGENT_SECRET_WIKI is not available: the variable is not set.",
  );
});

test("G4: a server is contacted only at its own origin: redirects are not followed", async () => {
  const inner = await serve();
  const moved = await serve({
    intercept: (_method, response) => (response.writeHead(307, { location: inner.url }).end(), true),
  });
  const { mcp, log } = await startWithMcp({ MCP_SERVERS: `wiki=${moved.url}` });
  await mcp?.openTurn(new AbortController().signal);
  expect(log.join("")).toContain("it redirects to another URL");
  expect(inner.requests).toEqual([]);
});
