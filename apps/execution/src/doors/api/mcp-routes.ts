import {
  ApiProblem,
  readQuery,
  readValidBody,
  type ApiContent,
  type ApiExchange,
  type ApiPart,
} from "@crosszone/admin-api";
import { authorOf } from "@crosszone/audit";
import { isMcpApproval, type McpServer } from "@crosszone/contracts";
import { openApi } from "@crosszone/contracts/openapi";
import type { Emit } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { McpPinStore } from "../../agents/assistant/assistant-store.ts";

/** Above the size of an approval of 200 tools, bytes. */
const maxBytes = 65_536;

const problems = {
  mcp_server_not_found: { kind: "mcp_server_not_found", status: 404, title: "MCP server not found" },
  mcp_tool_changed: { kind: "mcp_tool_changed", status: 409, title: "A tool's definition has changed" },
  invalid_approval: { kind: "invalid_approval", status: 422, title: "The approval is not valid" },
};

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
    if (server === undefined)
      throw new ApiProblem(problems.mcp_server_not_found, "List the MCP servers to see their names.");
    return server;
  }

  async function approve(exchange: ApiExchange): Promise<ApiContent> {
    const { request, params, actor, correlationId } = exchange;
    const { name } = await find(params["server"] ?? "");
    const { tools } = await readValidBody(request, isMcpApproval, { maxBytes, invalid: problems.invalid_approval });
    const changed = await pins.approve(name, tools, authorOf(exchange));
    if (changed.length > 0)
      throw new ApiProblem(
        problems.mcp_tool_changed,
        `Nothing was approved. List the tools again, and review ${changed.join(", ")}.`,
      );
    emit("mcp_tools_approved", { server: name, tools: Object.keys(tools), by: actor, correlation_id: correlationId });
    return { status: 200, body: await find(name) };
  }

  return {
    document: openApi("mcp"),
    paths: {
      "/mcp-servers": {
        get: async ({ request, content }) => {
          readQuery(request.url, {});
          await content.hold(await pins.size());
          return { status: 200, body: { servers: await all() } };
        },
      },
      "/mcp-servers/{server}/approve": { post: approve },
    },
  };
}
