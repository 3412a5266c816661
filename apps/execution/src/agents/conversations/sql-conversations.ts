import { createRecordCodec, SealedTextError, type Purge, type Vault } from "@crosszone/service-kit";
import { deleteOlder, now, retryTransient, type Database } from "@crosszone/sql";
import { sql } from "kysely";
import type { AgentConversationTable, AgentConversationTables } from "./conversation-table.ts";
import type { Conversation, Conversations, ConversationStatements, KeptConversation } from "./conversations.ts";

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
): Conversations & ConversationStatements & { readonly purge: Purge } {
  // Every query uses only the table described here.
  const { db, engine } = zoneDatabase as unknown as Database<AgentConversationTables>;
  const codec = createRecordCodec(vault);
  const old = sql<number>`(select ${now(engine)} - ${retentionMs})`;
  const selecting = (contextId: string) =>
    db.selectFrom("agent_conversation").select("record").where("context_id", "=", contextId);

  const found: ConversationStatements["found"] = (contextId, rows) => {
    const [row] = rows as readonly Pick<AgentConversationTable, "record">[];
    if (row === undefined) return {};
    try {
      return codec.fromColumn(row.record, conversationContext(contextId)) as Conversation;
    } catch (error) {
      if (error instanceof SealedTextError) return {};
      throw error;
    }
  };

  function upserting({ contextId, conversation, team }: KeptConversation) {
    const record = codec.toColumn(conversation, conversationContext(contextId));
    return db
      .insertInto("agent_conversation")
      .values({ context_id: contextId, team: team ?? null, updated_at: now(engine), record })
      .onConflict((conflict) => conflict.column("context_id").doUpdateSet({ record, updated_at: now(engine) }));
  }

  return {
    // A lost connection must not cost the answer.
    find: async (contextId) => found(contextId, await retryTransient(() => selecting(contextId).execute())),
    keep: async (kept) => void (await retryTransient(() => upserting(kept).execute())),
    finding: (contextId) => selecting(contextId).compile(),
    found,
    keeping: (kept) => upserting(kept).compile(),

    purge: {
      table: "agent_conversation",
      purge: (most) =>
        deleteOlder(db, { table: "agent_conversation", key: "context_id", column: "updated_at", before: old }, most),
    },
  };
}
