import { tablesStep } from "@crosszone/sql";
import { sql } from "kysely";

/** The summary of one thread's conversation with the assistant. Times are Unix milliseconds, by the database's clock. */
interface ThreadSummaryTable {
  /** The conversation's id for the assistant. */
  context_id: string;
  /** Digest of the thread's team. */
  team: string;
  /** Time of the thread's last question. */
  updated_at: number;
  /** A `ThreadSummary` as JSON, sealed if `DATA_KEYS` is set. */
  record: string;
}

export interface ThreadSummaryTables {
  thread_summary: ThreadSummaryTable;
}

/** Creates and drops the table `thread_summary`. */
export const threadSummaryStep = tablesStep(["thread_summary"], async (db) => {
  await db.schema
    .createTable("thread_summary")
    .addColumn("context_id", "text", (column) => column.notNull())
    .addColumn("team", "text", (column) => column.notNull())
    .addColumn("updated_at", "bigint", (column) => column.notNull())
    .addColumn("record", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("thread_summary_key", ["context_id", "team"])
    .execute();
  await db.schema.createIndex("thread_summary_by_age").on("thread_summary").column("updated_at").execute();
});

/** The state of a thread's conversation with one agent. Times are Unix milliseconds, by the database's clock. */
export interface AgentConversationTable {
  /** The conversation's id that the agent receives. */
  context_id: string;
  /** Digest of the thread's team. */
  team: string | null;
  updated_at: number;
  /** A `Conversation` as JSON, sealed if `DATA_KEYS` is set. */
  record: string;
}

export interface AgentConversationTables {
  agent_conversation: AgentConversationTable;
}

/** Creates and drops the table `agent_conversation`. */
export const conversationsStep = tablesStep(["agent_conversation"], async (db) => {
  await db.schema
    .createTable("agent_conversation")
    .addColumn("context_id", "text", (column) => column.primaryKey())
    .addColumn("team", "text")
    .addColumn("updated_at", "bigint", (column) => column.notNull())
    .addColumn("record", "text", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("agent_conversation_by_age").on("agent_conversation").column("updated_at").execute();
});

/** Links that agents use to download files of their tasks. Times are Unix milliseconds, by the database's clock. */
export interface FileLinkTable {
  /** SHA-256 of the token. The token itself is not stored. */
  token_digest: string;
  task_id: string;
  file_id: string;
  /** Digest of the requester's team. */
  team: string | null;
  expires_at: number;
  /** When the first complete download ended. */
  fetched_at: number | null;
}

export interface FileLinkTables {
  agent_file_link: FileLinkTable;
}

/** Creates and drops the table `agent_file_link`. */
export const fileLinksStep = tablesStep(["agent_file_link"], async (db) => {
  await db.schema
    .createTable("agent_file_link")
    .addColumn("token_digest", "text", (column) => column.primaryKey())
    .addColumn("task_id", "text", (column) => column.notNull())
    .addColumn("file_id", "text", (column) => column.notNull())
    .addColumn("team", "text")
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .addColumn("fetched_at", "bigint")
    .execute();
  await db.schema.createIndex("agent_file_link_by_expiry").on("agent_file_link").column("expires_at").execute();
  await sql`create index agent_file_link_by_team on agent_file_link (team) where team is not null`.execute(db);
});

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
  /** The approver's `actor`; null when pinned with its server. */
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
