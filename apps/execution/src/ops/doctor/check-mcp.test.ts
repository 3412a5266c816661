import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { databaseUrlOf } from "@crosszone/service-kit";
import { mcpTool, startMcpServer } from "@crosszone/assistant/testing/mcp";
import { runChecks } from "@crosszone/ops/doctor";
import { expect, onTestFinished, test } from "vitest";
import { loadExecutionConfig } from "../../config/config.ts";
import { openExecutionDatabase } from "../../database/open-execution-database.ts";
import { createSqlMcpPins } from "../../agents/assistant/sql-mcp-pins.ts";
import { executionDoctor } from "./execution-doctor.ts";
import { tryMcp } from "./check-mcp.ts";

async function consult(env: Record<string, string>) {
  const { checks, skip } = executionDoctor(env);
  const mcp = checks.filter(({ name }) => name === "MCP servers");
  const [result] = await runChecks(mcp, { timeoutMs: 10_000, ...(skip && { skip }) });
  return result;
}

test("reports the number of tools of each MCP server, and warns of tools that differ from their pins", async () => {
  expect(await consult({})).toBeUndefined();
  const server = await startMcpServer({ tools: [mcpTool("find")], token: "planted-token" });
  onTestFinished(() => server.stop());
  const folder = mkdtempSync(join(tmpdir(), "mcp-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const env = {
    MCP_SERVERS: `wiki=${server.url}`,
    MCP_TOKENS: "wiki=env:AGENT_SECRET_WIKI",
    AGENT_SECRET_WIKI: "planted-token",
    DATA_DIR: folder,
  };
  expect(await consult(env)).toMatchObject({ status: "passed", says: "wiki: 1 tools" });
  const { values: config } = loadExecutionConfig(env);
  const [listed] = await tryMcp(config, env).list();
  const database = await openExecutionDatabase({ url: databaseUrlOf(config, "execution") });
  await createSqlMcpPins(database).observe("wiki", listed !== undefined && "tools" in listed ? listed.tools : []);
  await database.close();
  expect(await consult(env)).toMatchObject({ status: "passed" });
  server.tools = [mcpTool("find", { description: "Other." })];
  expect(await consult(env)).toMatchObject({
    status: "warned",
    todo: ["Review them, then approve: crosszone mcp approve wiki"],
  });
  expect(await consult({ ...env, AGENT_SECRET_WIKI: "planted-wrong" })).toMatchObject({
    status: "failed",
    says: "wiki: it answers HTTP 401: check its token in MCP_TOKENS",
  });
});
