import type { MigrationStep } from "@crosszone/sql";

/** What is known of the conversation of a thread with one agent. Times are Unix milliseconds, by the database's clock. */
export interface AgentConversationTable {
  /** The conversation's id for this agent, as the agent is sent it. */
  context_id: string;
  /** Digest of the team that the thread belongs to. */
  team: string | null;
  updated_at: number;
  /** A `Conversation`, JSON, may be sealed. */
  record: string;
}

export interface AgentConversationTables {
  agent_conversation: AgentConversationTable;
}

/** Makes the table `agent_conversation` on either engine, and removes it. */
export const conversationsStep: MigrationStep = {
  up: async (db) => {
    await db.schema
      .createTable("agent_conversation")
      .addColumn("context_id", "text", (column) => column.primaryKey())
      .addColumn("team", "text")
      .addColumn("updated_at", "bigint", (column) => column.notNull())
      .addColumn("record", "text", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("agent_conversation_by_age").on("agent_conversation").column("updated_at").execute();
  },
  down: async (db) => {
    await db.schema.dropTable("agent_conversation").execute();
  },
};
