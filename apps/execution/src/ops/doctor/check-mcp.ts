import { fingerprintOf, type McpDefinition } from "@crosszone/assistant";
import type { McpTool } from "@crosszone/contracts";
import { databaseUrlOf, type Environment } from "@crosszone/service-kit";
import { type Check, failed, passed, warned } from "@crosszone/ops/doctor";
import { inspectDatabase } from "@crosszone/sql";
import { createSqlMcpPins } from "../../agents/assistant/sql-mcp-pins.ts";
import type { ExecutionConfig } from "../../config/config.ts";
import { mcpVariables } from "../../config/mcp-variables.ts";
import { executionMigrations } from "../../database/migrations.ts";
import { openExecutionDatabase } from "../../database/open-execution-database.ts";
import { openMcpAccess } from "../../roles/open-mcp.ts";

/** Empty when no MCP server is configured. */
export function mcpChecks(config: Partial<ExecutionConfig>, env: Environment): Check[] {
  if (!config.MCP_SERVERS?.length) return [];
  const reads = [...Object.keys(mcpVariables), "AGENT_SECRETS_DIR", "MAX_AGENT_RESPONSE"];
  return [checkMcp(reads, tryMcp(config as ExecutionConfig, env))];
}

/** Lists the tools of the MCP servers as the zone does, and reads the pinned definitions. */
export function tryMcp(config: ExecutionConfig, env: Environment): McpTrial {
  return {
    list: async () => {
      const { servers, way, close } = await openMcpAccess(config, env);
      const { listMcpTools } = await import("@crosszone/assistant/mcp");
      const { signal } = new AbortController();
      const listed = servers.map((server): Promise<ListedMcp> =>
        listMcpTools(server, way, signal).then(
          (tools: readonly McpDefinition[]) => ({ server: server.name, tools }),
          (error: unknown) => ({ server: server.name, because: (error as Error).message }),
        ),
      );
      try {
        return await Promise.all(listed);
      } finally {
        await close();
      }
    },

    pinned: async () => {
      const url = databaseUrlOf(config, "execution");
      const found = await inspectDatabase({ url, schema: "execution", migrations: executionMigrations }).catch(
        () => undefined,
      );
      // Opening the database would create what is missing.
      if (found === undefined || found.pending.length > 0 || found.unknown.length > 0) return undefined;
      const database = await openExecutionDatabase({ url });
      try {
        return await createSqlMcpPins(database).all();
      } finally {
        await database.close();
      }
    },
  };
}

/** The tools of a server, or why they can't be listed. */
export type ListedMcp = { readonly server: string } & (
  { readonly tools: readonly McpDefinition[] } | { readonly because: string }
);

/** How the check lists the servers' tools and reads the pinned ones. */
export interface McpTrial {
  readonly list: () => Promise<readonly ListedMcp[]>;
  /** By server. Undefined when the zone's database doesn't exist yet. */
  readonly pinned: () => Promise<ReadonlyMap<string, readonly McpTool[]> | undefined>;
}

/** Checks that the MCP servers answer and that their tools match the pinned definitions. Pins nothing. */
export function checkMcp(reads: readonly string[], { list, pinned }: McpTrial): Check {
  return {
    name: "MCP servers",
    reads,
    run: async () => {
      const listed = await list();
      const down = listed.flatMap((one) => ("because" in one ? [`${one.server}: ${one.because}`] : []));
      if (down.length > 0)
        return failed(down.join("; "), "The assistant answers without their tools until the servers are back.");
      const pins = await pinned();
      const withheld = listed.filter((one) => "tools" in one && !one.tools.every(isOfferedBy(pins?.get(one.server))));
      const todo = withheld.map(({ server }) => `Review them, then approve: crosszone mcp approve ${server}`);
      if (withheld.length > 0)
        return warned(
          `${withheld.map(({ server }) => server).join(", ")}: tools have changed and are not offered`,
          ...todo,
        );
      return passed(listed.map((one) => `${one.server}: ${"tools" in one ? one.tools.length : 0} tools`).join("; "));
    },
  };
}

/** Returns whether a tool would be offered. Every tool of a new server would be. */
function isOfferedBy(pins: readonly McpTool[] | undefined): (definition: McpDefinition) => boolean {
  return (definition) => pins === undefined || printOf(pins, definition.name) === fingerprintOf(definition);
}

function printOf(pins: readonly McpTool[], name: string): string | undefined {
  const pin = pins.find((tool) => tool.name === name);
  if (pin?.state === "changed") return fingerprintOf(pin.pinned_definition as unknown as McpDefinition);
  return pin?.state === "new" ? undefined : pin?.fingerprint;
}
