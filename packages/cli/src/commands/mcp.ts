import type { McpServer, McpTool } from "@crosszone/contracts";
import type { ApiClient } from "../api/api-client.ts";
import { type Command, defineCommand, jsonOption } from "../program/command.ts";
import { didYouMean, UsageError } from "../program/errors.ts";
import { harmlessJson, harmlessLine, table } from "../text/terminal-text.ts";

export const listMcp: Command = defineCommand({
  name: "mcp list",
  summary: "Lists the MCP servers, their tools, and which tools await approval.",
  operands: [],
  options: { json: jsonOption },
  examples: [["crosszone mcp", "short form of the same"]],
  run: async (_, { api }) => {
    const list = await api().mcp.list();
    const rows = list.servers.flatMap(({ name, origin = "not configured here", tools }) =>
      tools.length === 0
        ? [[name, "", "not seen yet", origin]]
        : tools.map((tool) => [name, tool.name, tool.state, origin]),
    );
    const none = "No MCP servers. Configure them with MCP_FILE of the execution zone.\n";
    return { json: list, text: rows.length === 0 ? none : table(["SERVER", "TOOL", "STATE", "ORIGIN"], rows) };
  },
});

export const showMcp: Command = defineCommand({
  name: "mcp show",
  summary: "Shows a tool's current definition, and the pinned one if they differ.",
  operands: ["<server>", "<tool>"],
  options: { json: jsonOption },
  examples: [["crosszone mcp show wiki find", "before you approve it"]],
  run: async ({ operands: [name = "", wanted = ""] }, { api }) => {
    const tool = toolIn(await serverOf(api().mcp, name), wanted);
    return { json: tool, text: definitionText(tool) };
  },
});

export const approveMcp: Command = defineCommand({
  name: "mcp approve",
  summary: "Approves the current definitions of an MCP server's tools: one tool, or all changed and new ones.",
  operands: ["<server>", "[tool]"],
  options: {
    fingerprint: {
      flags: "--fingerprint <hex>",
      help: "fingerprint of one tool, as printed by mcp show; refused if the tool has changed since",
    },
    json: jsonOption,
  },
  examples: [
    ["crosszone mcp approve wiki", "approve everything that is changed or new"],
    ["crosszone mcp approve wiki find --fingerprint 9f86d0…", "approve one tool exactly as shown"],
  ],
  run: async ({ values: { fingerprint }, operands: [name = "", wanted] }, { api }) => {
    if (fingerprint !== undefined && wanted === undefined) throw new UsageError("--fingerprint requires a tool.");
    const { mcp } = api();
    const server = await serverOf(mcp, name);
    const meant = wanted === undefined ? server.tools : [toolIn(server, wanted)];
    const waiting = meant.filter(({ state }) => state === "changed" || state === "new");
    const prints = Object.fromEntries(waiting.map((tool) => [tool.name, fingerprint ?? tool.fingerprint]));
    const approved = waiting.length === 0 ? server : await mcp.approve(name, prints);
    const result = waiting.length === 0 ? "No tools await approval." : `Approved: ${Object.keys(prints).join(", ")}.`;
    return { json: approved, text: `${harmlessLine(result)}\n` };
  },
});

async function serverOf(mcp: ApiClient["mcp"], name: string): Promise<McpServer> {
  const { servers } = await mcp.list();
  return named(
    servers,
    name,
    (near) => `No MCP server is called "${harmlessLine(name)}".${near || " crosszone mcp lists them."}`,
  );
}

function toolIn({ name: server, tools }: McpServer, name: string): McpTool {
  return named(tools, name, (near) => `${server} has no tool "${harmlessLine(name)}".${near}`);
}

/** Returns the one with a name. Throws a `UsageError` when none has it; the problem can end with similar names. */
function named<One extends { readonly name: string }>(
  all: readonly One[],
  name: string,
  problem: (near: string) => string,
): One {
  const found = all.find((one) => one.name === name);
  if (found !== undefined) return found;
  const names = all.map((one) => one.name);
  throw new UsageError(problem(didYouMean(name, names)));
}

function definitionText({ state, fingerprint, definition, pinned_definition }: McpTool): string {
  const pinned = pinned_definition === undefined ? "" : `Pinned:\n${harmlessJson(pinned_definition)}\n\n`;
  return `State: ${state}\nFingerprint: ${fingerprint}\n\n${pinned}Now:\n${harmlessJson(definition)}\n`;
}
