import type { McpDefinition } from "@crosszone/assistant";
import { databaseUrlOf, type Environment } from "@crosszone/service-kit";
import { inspectDatabase } from "@crosszone/sql";
import type { ExecutionConfig } from "../config.ts";
import { executionMigrations } from "../database/migrations.ts";
import { openExecutionDatabase } from "../database/open-execution-database.ts";
import { createSqlMcpPins } from "../mcp/sql-mcp-pins.ts";
import { wayToMcp } from "../roles/open-mcp.ts";
import type { ListedMcp, McpTrial } from "./check-mcp.ts";

/** Lists the tools of the MCP servers as the zone does, and reads the pinned definitions. */
export function tryMcp(config: ExecutionConfig, env: Environment): McpTrial {
  return {
    list: async () => {
      const { servers, way, close } = await wayToMcp(config, env);
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
