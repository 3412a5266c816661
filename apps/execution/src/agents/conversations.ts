import { hash } from "node:crypto";
import { createRecordCodec, type Purge, SealedTextError, type Vault } from "@crosszone/service-kit";
import { deleteOlder, now, retryTransient } from "@crosszone/sql";
import { type CompiledQuery, sql } from "kysely";
import type { ExecutionDatabase } from "../database/open-execution-database.ts";

/** The state of a thread's conversation with one agent. */
export interface Conversation {
  /** The agent's own context id, when it doesn't accept the zone's. */
  readonly agentContextId?: string;
  /** The agent's task that waits for the user. */
  readonly openTaskId?: string;
  /** Whether the agent has got the earlier messages of the thread. */
  readonly hasThread?: true;
}

export interface KeptConversation {
  readonly contextId: string;
  readonly conversation: Conversation;
  /** Digest of the thread's team. */
  readonly team: string | undefined;
}

/** Stores conversations for all processes of the zone. */
export interface Conversations {
  /** Returns the conversation of this id; an empty one when it is new. */
  readonly find: (contextId: string) => Promise<Conversation>;
  readonly keep: (kept: KeptConversation) => Promise<void>;
}

/** The same as statements, to run together with others. */
export interface ConversationStatements {
  readonly finding: (contextId: string) => CompiledQuery;
  /** Returns the conversation in the rows of `finding`. */
  readonly found: (contextId: string, rows: readonly unknown[]) => Conversation;
  /** Safe to repeat. */
  readonly keeping: (kept: KeptConversation) => CompiledQuery;
}

/**
 * Returns the id of a thread's conversation with one agent, the same for every message of the thread. It is a UUID,
 * because some agents store 36 characters.
 */
export const contextIdOf = (threadContextId: string, agent: string): string =>
  uuidOf(JSON.stringify([threadContextId, agent]));

/** Returns a UUID of version 8 that is the same for the same text. https://www.rfc-editor.org/rfc/rfc9562#section-5.8 */
export function uuidOf(text: string): string {
  const digest = hash("sha256", text);
  const variant = ((Number.parseInt(digest[16] ?? "0", 16) & 0x3) | 0x8).toString(16);
  return digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, `$1-$2-8$3-${variant}$4-$5`);
}

/** How a table of conversations is sealed and purged. */
export interface ConversationTableOptions {
  readonly vault?: Vault;
  /** How long a conversation is kept after its last message, milliseconds. */
  readonly retentionMs: number;
}

/** The context that a sealed conversation is bound to. */
export const conversationContext = (contextId: string): string => `agent_conversation ${contextId}`;

/** Returns `Conversations` in the zone's database, and the purge that deletes each conversation `retentionMs` after its last message. */
export function createSqlConversations(
  { db, engine }: ExecutionDatabase,
  { vault, retentionMs }: ConversationTableOptions,
): Conversations & ConversationStatements & { readonly purge: Purge } {
  const codec = createRecordCodec(vault);
  const old = sql<number>`(select ${now(engine)} - ${retentionMs})`;
  const selecting = (contextId: string) =>
    db.selectFrom("agent_conversation").select("record").where("context_id", "=", contextId);

  const found: ConversationStatements["found"] = (contextId, rows) => {
    const [row] = rows as readonly { readonly record: string }[];
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
