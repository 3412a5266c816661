import { tablesStep } from "@crosszone/sql";

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
