import { type ApiPart, ApiProblem, serveApi } from "@crosszone/admin-api";
import type { McpServer } from "@crosszone/contracts";
import type { Emit } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { McpPinStore } from "../../agents/assistant/mcp-pins.ts";

/** Creates the part of the API that shows MCP servers, those of the settings, with their tools and approves definitions. */
export function createMcpApi(
  pins: McpPinStore,
  servers: readonly { readonly name: string; readonly url?: string | undefined; readonly read_only: boolean }[],
  emit: Emit<ExecutionEvent>,
): ApiPart {
  async function all(): Promise<McpServer[]> {
    const seen = await pins.all();
    const names = new Set([...servers.map(({ name }) => name), ...seen.keys()]);
    return [...names].toSorted().map((name) => {
      const known = servers.find((server) => server.name === name);
      const { tools = [], leftOut = [] } = seen.get(name) ?? {};
      return {
        name,
        origin: known?.url && new URL(known.url).origin,
        read_only: known?.read_only,
        tools: [...tools],
        left_out: leftOut.length === 0 ? undefined : leftOut.map((one) => ({ ...one })),
      };
    });
  }

  async function find(name: string): Promise<McpServer> {
    const server = (await all()).find((one) => one.name === name);
    if (server === undefined) throw new ApiProblem("mcp_server_not_found");
    return server;
  }

  return serveApi("mcp", {
    listMcpServers: async ({ content }) => {
      await content.hold(await pins.size());
      return { servers: await all() };
    },
    approveMcpTools: async ({ params, body: { tools }, by }) => {
      const { name } = await find(params.server);
      const changed = await pins.approve(name, tools, by);
      if (changed.length > 0)
        throw new ApiProblem(
          "mcp_tool_changed",
          `Nothing was approved. List the tools again, and review ${changed.join(", ")}.`,
        );
      const { actor, correlationId: correlation_id } = by;
      emit("mcp_tools_approved", { server: name, tools: Object.keys(tools), by: actor, correlation_id });
      return find(name);
    },
  });
}
