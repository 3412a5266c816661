import { createRecordCodec, SealedTextError, type Purge, type Vault } from "@crosszone/service-kit";
import { deleteOlder, now, type Database } from "@crosszone/sql";
import { sql } from "kysely";
import type { AgentConversationTables } from "./conversation-table.ts";
import type { Conversation, Conversations } from "./conversations.ts";

export interface SqlConversationsOptions {
  readonly vault?: Pick<Vault, "seal" | "open"> | undefined;
  /** How long a conversation is kept after its last message, milliseconds. */
  readonly retentionMs: number;
}

/** The context that a sealed conversation is bound to. */
export const conversationContext = (contextId: string): string => `agent_conversation ${contextId}`;

/** Returns `Conversations` in the zone's database, and the purge that deletes each conversation `retentionMs` after its last message. */
export function createSqlConversations<Tables extends AgentConversationTables>(
  zoneDatabase: Database<Tables>,
  { vault, retentionMs }: SqlConversationsOptions,
): Conversations & { readonly purge: Purge } {
  // Every query uses only the table described here.
  const { db, engine } = zoneDatabase as unknown as Database<AgentConversationTables>;
  const codec = createRecordCodec(vault);
  const old = sql<number>`(select ${now(engine)} - ${retentionMs})`;
  return {
    find: async (contextId) => {
      const row = await db
        .selectFrom("agent_conversation")
        .select("record")
        .where("context_id", "=", contextId)
        .executeTakeFirst();
      if (row === undefined) return {};
      try {
        return codec.fromColumn(row.record, conversationContext(contextId)) as Conversation;
      } catch (error) {
        if (error instanceof SealedTextError) return {};
        throw error;
      }
    },

    keep: async (contextId, conversation, team) => {
      const record = codec.toColumn(conversation, conversationContext(contextId));
      const values = { context_id: contextId, team: team ?? null, updated_at: now(engine), record };
      await db
        .insertInto("agent_conversation")
        .values(values)
        .onConflict((conflict) => conflict.column("context_id").doUpdateSet({ record, updated_at: now(engine) }))
        .execute();
    },

    purge: {
      table: "agent_conversation",
      purge: (most) =>
        deleteOlder(db, { table: "agent_conversation", key: "context_id", column: "updated_at", before: old }, most),
    },
  };
}
