import { tablesStep } from "@crosszone/sql";

/** A known MCP server. Times are Unix milliseconds, by the database's clock. */
export interface McpServerTable {
  name: string;
  first_seen_at: number;
}

/** A tool of an MCP server: its pinned definition, and the one that the server listed last. */
export interface McpToolTable {
  server: string;
  tool: string;
  /** `McpDefinition` as JSON; null until approved. */
  pinned: string | null;
  /** SHA-256 of the definition, hex. */
  pinned_print: string | null;
  seen: string;
  seen_print: string;
  /** 0 when the server no longer lists it. */
  listed: number;
  /** Digest of an admin's token; null when pinned with its server. */
  approved_by: string | null;
  approved_at: number | null;
}

export interface McpTables {
  mcp_server: McpServerTable;
  mcp_tool: McpToolTable;
}

/** Creates and drops the tables `mcp_server` and `mcp_tool`. */
export const mcpToolsStep = tablesStep(["mcp_server", "mcp_tool"], async (db) => {
  await db.schema
    .createTable("mcp_server")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("first_seen_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("mcp_tool")
    .addColumn("server", "text", (column) => column.notNull())
    .addColumn("tool", "text", (column) => column.notNull())
    .addColumn("pinned", "text")
    .addColumn("pinned_print", "text")
    .addColumn("seen", "text", (column) => column.notNull())
    .addColumn("seen_print", "text", (column) => column.notNull())
    .addColumn("listed", "integer", (column) => column.notNull())
    .addColumn("approved_by", "text")
    .addColumn("approved_at", "bigint")
    .addPrimaryKeyConstraint("mcp_tool_key", ["server", "tool"])
    .execute();
});
