import { expect, test } from "vitest";
import { answerWith, startFakeZone, runCli } from "../testing/fake-zone.ts";

const definition = { name: "find", description: "Finds\u001b[2J", inputSchema: { type: "object" }, annotations: {} };
const find = { name: "find", state: "changed", fingerprint: "b".repeat(64), definition };
const get = { name: "get", state: "pinned", fingerprint: "a".repeat(64), definition: { ...definition, name: "get" } };
const pinned_definition = { ...definition, description: "Finds." };
const wiki = {
  name: "wiki",
  origin: "http://127.0.0.1:9",
  read_only: true,
  tools: [{ ...find, pinned_definition }, get],
};
const servers = { servers: [{ name: "search", tools: [] }, wiki] };

const start = () =>
  startFakeZone({
    "GET /mcp-servers": (response) => answerWith(response, 200, servers),
    "POST /mcp-servers/wiki/approve": (response) => answerWith(response, 200, wiki),
  });

test("servers and tools are listed, a definition is escaped, and the shown definition is approved", async () => {
  const zone = await start();
  const run = (...argv: string[]) => runCli(zone.url, ["mcp", ...argv]).done;
  expect((await run()).out.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
    ["SERVER", "TOOL", "STATE", "ORIGIN"],
    ["search", "not seen yet", "not configured here"],
    ["wiki", "find", "changed", "http://127.0.0.1:9"],
    ["wiki", "get", "pinned", "http://127.0.0.1:9"],
    [""],
  ]);
  const { out } = await run("show", "wiki", "find");
  expect(out).toMatch(/^State: changed\nFingerprint: b{64}\n\nPinned:\n[^]*"Finds\."[^]*Now:\n[^]*Finds\\u001b\[2J/);
  expect(await run("approve", "wiki")).toMatchObject({ code: 0, out: "Approved: find.\n" });
  expect(await run("approve", "wiki", "get")).toMatchObject({ out: "No tools await approval.\n" });
  const [asked, ...others] = zone.requestsFor("POST /mcp-servers/wiki/approve");
  expect([asked?.body, others]).toEqual([{ tools: { find: find.fingerprint } }, []]);
  await run("approve", "wiki", "find", "--fingerprint", "c".repeat(64));
  const [, exact] = zone.requestsFor("POST /mcp-servers/wiki/approve");
  expect(exact?.body).toEqual({ tools: { find: "c".repeat(64) } });
  expect(await run("approve", "wiki", "--fingerprint", "c")).toMatchObject({ code: 2 });
});

test("without servers, the list says how to configure them", async () => {
  const zone = await startFakeZone({ "GET /mcp-servers": (response) => answerWith(response, 200, { servers: [] }) });
  const out = "No MCP servers. Configure them with MCP_SERVERS of the execution zone.\n";
  expect(await runCli(zone.url, ["mcp"]).done).toMatchObject({ code: 0, out });
});

test("an unknown server or tool is reported with similar names", async () => {
  const zone = await start();
  expect(await runCli(zone.url, ["mcp", "approve", "wik"]).done).toMatchObject({
    code: 2,
    err: expect.stringContaining('No MCP server is called "wik". Did you mean wiki?') as string,
  });
  expect(await runCli(zone.url, ["mcp", "show", "wiki", "fin"]).done).toMatchObject({
    code: 2,
    err: expect.stringContaining('wiki has no tool "fin". Did you mean find?') as string,
  });
});
