import type { McpServer, McpTool } from "@crosszone/contracts";
import { type Command, defineCommand, jsonOption } from "../../program/command.ts";
import { actRow, listRow } from "../../program/row.ts";
import { UsageError } from "../../program/session.ts";
import { findNamed } from "../../program/unknown-names.ts";
import { harmlessJson, harmlessLine } from "../../text/terminal-text.ts";

const listMcp = listRow({
  name: "mcp list",
  operation: "listMcpServers",
  summary: "Lists the MCP servers, their tools, which tools await approval, and which can't be offered.",
  examples: [["crosszone mcp", "short form of the same"]],
  of: ({ servers }) =>
    servers.flatMap(({ name, origin, tools, left_out = [] }) => {
      const seen = tools.map((tool) => ({ name, origin, tool: tool.name, state: tool.state }));
      const odd = left_out.map((tool) => ({ name, origin, tool: tool.name, state: `left out: ${tool.because}` }));
      const all = [...seen, ...odd];
      return all.length === 0 ? [{ name, origin, tool: "", state: "not seen yet" }] : all;
    }),
  columns: ({ name, tool, state, origin = "not configured here" }) => ({
    SERVER: name,
    TOOL: tool,
    STATE: state,
    ORIGIN: origin,
  }),
  none: "No MCP servers. Configure them with the section mcp of EXECUTION_FILE.",
  names: { kind: "server", of: ({ name }) => name },
});

const showMcp = actRow({
  name: "mcp show",
  operation: "listMcpServers",
  summary: "Shows a tool's current definition, and the pinned one if they differ.",
  operands: { server: "<server>", tool: "<tool>" },
  examples: [["crosszone mcp show wiki find", "before you approve it"]],
  show: ({ servers }, { operands: [name = "", wanted = ""] }) => {
    const tool = toolIn(serverIn(servers, name), wanted);
    return { json: tool, text: definitionText(tool) };
  },
});

const approveMcp: Command = defineCommand({
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
  run: async ({ values: { fingerprint }, operands: [name = "", wanted] }, { api: open }) => {
    if (fingerprint !== undefined && wanted === undefined) throw new UsageError("--fingerprint requires a tool.");
    const api = open();
    const server = serverIn((await api.call("listMcpServers", {})).servers, name);
    const meant = wanted === undefined ? server.tools : [toolIn(server, wanted)];
    const waiting = meant.filter(({ state }) => state === "changed" || state === "new");
    const tools = Object.fromEntries(waiting.map((tool) => [tool.name, fingerprint ?? tool.fingerprint]));
    if (waiting.length === 0) return { json: server, text: "No tools await approval.\n" };
    const approved = await api.call("approveMcpTools", { server: name, body: { tools } });
    return { json: approved, text: `${harmlessLine(`Approved: ${Object.keys(tools).join(", ")}.`)}\n` };
  },
});

const serverIn = (servers: readonly McpServer[], name: string): McpServer =>
  findNamed(servers, name, { problem: `No MCP server is called "${harmlessLine(name)}".`, command: "mcp" });

function toolIn({ name: server, tools }: McpServer, name: string): McpTool {
  return findNamed(tools, name, { problem: `${server} has no tool "${harmlessLine(name)}".` });
}

function definitionText({ state, fingerprint, definition, pinned_definition }: McpTool): string {
  const pinned = pinned_definition === undefined ? "" : `Pinned:\n${harmlessJson(pinned_definition)}\n\n`;
  return `State: ${state}\nFingerprint: ${fingerprint}\n\n${pinned}Now:\n${harmlessJson(definition)}\n`;
}

/** In the order of the help. */
export const mcpCommands: readonly Command[] = [listMcp, showMcp, approveMcp];
