import { tablesStep } from "@crosszone/sql";
import { sql } from "kysely";

export interface ThreadSummaryTables {
  /** The summary of one thread's conversation with the assistant. Times are Unix milliseconds, by the database's clock. */
  thread_summary: {
    /** The conversation's id for the assistant. */
    context_id: string;
    /** Digest of the thread's team. */
    team: string;
    /** Time of the thread's last question. */
    updated_at: number;
    /** A `ThreadSummary` as JSON, sealed if `DATA_KEYS` is set. */
    record: string;
  };
}

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

export interface AgentConversationTables {
  /** The state of a thread's conversation with one agent. Times are Unix milliseconds, by the database's clock. */
  agent_conversation: {
    /** The conversation's id that the agent receives. */
    context_id: string;
    /** Digest of the thread's team. */
    team: string | null;
    updated_at: number;
    /** A `Conversation` as JSON, sealed if `DATA_KEYS` is set. */
    record: string;
  };
}

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

export interface FileLinkTables {
  /** Links that agents use to download files of their tasks. Times are Unix milliseconds, by the database's clock. */
  agent_file_link: {
    /** SHA-256 of the token. The token itself is not stored. */
    token_digest: string;
    task_id: string;
    file_id: string;
    /** Digest of the requester's team. */
    team: string | null;
    expires_at: number;
    /** When the first complete download ended. */
    fetched_at: number | null;
  };
}

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
  /** A known MCP server. Times are Unix milliseconds, by the database's clock. */
  mcp_server: {
    name: string;
    first_seen_at: number;
  };
  mcp_tool: McpToolTable;
}

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

export interface UsageTables {
  /**
   * One call of a language model: reserved before it starts, with its actual use after it ends. Times are Unix milliseconds, by the
   * database's clock.
   */
  model_call: {
    id: string;
    at: number;
    task_id: string;
    /** Digest of the requester's team. */
    team: string | null;
    /** Slack ids, as the caller sent them. */
    person: string | null;
    channel: string | null;
    agent: string;
    /** `provider/id`. */
    model: string;
    input_tokens: number;
    output_tokens: number;
    cached_tokens: number;
    /** Millionths of a US dollar; null when the model has no known price. */
    cost: number | null;
    /** 1 until the provider's count is known. */
    estimated: number;
  };
  /** The used amount of a budget's period, including reserved calls. */
  budget_use: {
    scope: string;
    /** The subject: a digest of team and person or channel, of the team, or the agent's name. */
    subject: string;
    /** Slack id of the person or channel, as the caller sent it. Null for teams and agents. */
    subject_id: string | null;
    /** `2026-11-21` or `2026-11`. */
    period: string;
    unit: string;
    team: string | null;
    used: number;
    /** 1 once a person got the note that the budget is nearly used. */
    noted: number;
  };
}

export const usageStep = tablesStep(["model_call", "budget_use"], async (db) => {
  await db.schema
    .createTable("model_call")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("task_id", "text", (column) => column.notNull())
    .addColumn("team", "text")
    .addColumn("person", "text")
    .addColumn("channel", "text")
    .addColumn("agent", "text", (column) => column.notNull())
    .addColumn("model", "text", (column) => column.notNull())
    .addColumn("input_tokens", "bigint", (column) => column.notNull())
    .addColumn("output_tokens", "bigint", (column) => column.notNull())
    .addColumn("cached_tokens", "bigint", (column) => column.notNull())
    .addColumn("cost", "bigint")
    .addColumn("estimated", "integer", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("model_call_by_time").on("model_call").column("at").execute();
  await sql`create index model_call_by_team on model_call (team) where team is not null`.execute(db);
  await db.schema
    .createTable("budget_use")
    .addColumn("scope", "text", (column) => column.notNull())
    .addColumn("subject", "text", (column) => column.notNull())
    .addColumn("period", "text", (column) => column.notNull())
    .addColumn("unit", "text", (column) => column.notNull())
    .addColumn("team", "text")
    .addColumn("used", "bigint", (column) => column.notNull())
    .addColumn("noted", "integer", (column) => column.notNull())
    .addColumn("subject_id", "text")
    .addPrimaryKeyConstraint("budget_use_key", ["scope", "subject", "period", "unit"])
    .execute();
  await sql`create index budget_use_by_team on budget_use (team) where team is not null`.execute(db);
  await db.schema.createIndex("budget_use_by_period").on("budget_use").columns(["period", "scope", "unit"]).execute();
  await sql`create index model_call_by_person on model_call (person, at) where person is not null`.execute(db);
});

/** One action on many items. Times are Unix milliseconds, by the database's clock. */
export interface BulkActionTable {
  id: string;
  /** `BulkActionKind`. */
  action: string;
  /** The author, and the sender of the request, as in `Author`. */
  actor: string;
  address: string;
  client: string;
  /** The author and the `Idempotency-Key`. */
  request_key: string | null;
  /** The items in order, as JSON. The next one is at `done + skipped + failed`. */
  ids: string;
  total: number;
  done: number;
  skipped: number;
  failed: number;
  /** What was skipped or failed, as JSON. */
  problems: string;
  /** 1 once someone stops it. */
  stopping: number;
  created_at: number;
  ended_at: number | null;
}

export interface BulkActionTables {
  bulk_action: BulkActionTable;
}

export const bulkActionsStep = tablesStep(["bulk_action"], async (db) => {
  let table = db.schema.createTable("bulk_action").addColumn("id", "text", (column) => column.primaryKey());
  for (const name of ["action", "actor", "address", "client", "ids", "problems"] as const)
    table = table.addColumn(name, "text", (column) => column.notNull());
  for (const name of ["total", "done", "skipped", "failed", "stopping"] as const)
    table = table.addColumn(name, "integer", (column) => column.notNull());
  await table
    .addColumn("request_key", "text", (column) => column.unique())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("ended_at", "bigint")
    .execute();
  await db.schema.createIndex("bulk_action_by_time").on("bulk_action").column("created_at").execute();
});

/** A token of the API. Times are Unix milliseconds, by the database's clock. */
export interface ApiTokenTable {
  id: string;
  /** Unique, also among revoked tokens: approvals and the audit log trust it. */
  name: string;
  /** SHA-256 of the token, hex. The token itself is not stored. */
  digest: string;
  /** `TokenScope`s with spaces between, before and after them. */
  scopes: string;
  /** The creator's `actor`. */
  created_by: string;
  created_at: number;
  expires_at: number;
  revoked_at: number | null;
}

/** The uses of a token, or of other credentials, in a day and from one place. Times are Unix milliseconds, by the process's clock. */
export interface TokenUseTable {
  /** As in `CredentialUse`. */
  actor: string;
  /** In UTC: `2026-11-21`. */
  day: string;
  /** As in `Sender`; `other` for both in places after the first fifty of a day. */
  address: string;
  client: string;
  uses: number;
  first_at: number;
  last_at: number;
}

export interface ApiTokenTables {
  api_token: ApiTokenTable;
  token_use: TokenUseTable;
}

export const apiTokensStep = tablesStep(["api_token", "token_use"], async (db) => {
  await db.schema
    .createTable("api_token")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull().unique())
    .addColumn("digest", "text", (column) => column.notNull().unique())
    .addColumn("scopes", "text", (column) => column.notNull())
    .addColumn("created_by", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .addColumn("revoked_at", "bigint")
    .execute();
  await db.schema
    .createTable("token_use")
    .addColumn("actor", "text", (column) => column.notNull())
    .addColumn("day", "text", (column) => column.notNull())
    .addColumn("address", "text", (column) => column.notNull())
    .addColumn("client", "text", (column) => column.notNull())
    .addColumn("uses", "bigint", (column) => column.notNull())
    .addColumn("first_at", "bigint", (column) => column.notNull())
    .addColumn("last_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("token_use_key", ["actor", "day", "address", "client"])
    .execute();
});

export interface TaskEventTables {
  /** An event of a task that a program asked: text or progress. */
  task_event: {
    task_id: string;
    /** Larger than those of earlier events of the task. */
    seq: number;
    /** Unix milliseconds, by the database's clock. */
    at: number;
    /** Digest of the program that asked. */
    team: string | null;
    /** The event as JSON, sealed if `DATA_KEYS` is set. */
    event: string;
  };
}

export const taskEventsStep = tablesStep(["task_event"], async (db) => {
  await db.schema
    .createTable("task_event")
    .addColumn("task_id", "text", (column) => column.notNull())
    .addColumn("seq", "bigint", (column) => column.notNull())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("team", "text")
    .addColumn("event", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("task_event_key", ["task_id", "seq"])
    .execute();
  await db.schema.createIndex("task_event_at").on("task_event").column("at").execute();
  await db.schema.createIndex("task_event_by_team").on("task_event").column("team").execute();
});
