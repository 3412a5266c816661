import { hash } from "node:crypto";
import type { ThreadMemory, ThreadSummary } from "@crosszone/assistant";
import { createRecordCodec, openedHere, type Vault } from "@crosszone/service-kit";
import { now, purgeAfter, retryTransient } from "@crosszone/sql";
import type { CompiledQuery } from "kysely";
import { type ExecutionDatabase, teamKey } from "../store/open-execution-database.ts";

/** The state of a thread's conversation with one agent. */
export interface Conversation {
  /** The agent's own context id, when it doesn't accept the zone's. */
  readonly agentContextId?: string;
  /** The agent's task that waits for the user. */
  readonly openTaskId?: string;
  /** A paused task of the thread follows the open task, and no reply has taken over. */
  readonly isFollowed?: true;
  /** Whether the agent has got the earlier messages of the thread. */
  readonly hasThread?: true;
}

export interface KeptConversation {
  readonly contextId: string;
  readonly conversation: Conversation;
  /** Digest of the thread's team. */
  readonly team: string | undefined;
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
interface ConversationTableOptions {
  readonly vault?: Vault;
  /** How long a conversation is kept after its last message, milliseconds. */
  readonly retentionMs: number;
}

/** The context that a sealed conversation is bound to. */
export const conversationContext = (contextId: string): string => `agent_conversation ${contextId}`;

/** The conversations, for all processes of the zone. */
export type Conversations = ReturnType<typeof createSqlConversations>;

export function createSqlConversations(database: ExecutionDatabase, { vault, retentionMs }: ConversationTableOptions) {
  const { db, engine } = database;
  const codec = createRecordCodec(vault);
  const selecting = (contextId: string) =>
    db.selectFrom("agent_conversation").select("record").where("context_id", "=", contextId);

  /** Returns the conversation in the rows of `finding`. */
  function found(contextId: string, rows: readonly unknown[]): Conversation {
    const [row] = rows as readonly { readonly record: string }[];
    const read = row && openedHere(() => codec.fromColumn(row.record, conversationContext(contextId)));
    return (read as Conversation | undefined) ?? {};
  }

  function upserting({ contextId, conversation, team }: KeptConversation) {
    const record = codec.toColumn(conversation, conversationContext(contextId));
    return db
      .insertInto("agent_conversation")
      .values({ context_id: contextId, team: team ?? null, updated_at: now(engine), record })
      .onConflict((conflict) => conflict.column("context_id").doUpdateSet({ record, updated_at: now(engine) }));
  }

  return {
    /** Returns the conversation of this id; an empty one when it is new. A lost connection must not cost the answer. */
    find: async (contextId: string): Promise<Conversation> =>
      found(contextId, await retryTransient(() => selecting(contextId).execute())),
    keep: async (kept: KeptConversation): Promise<void> => void (await retryTransient(() => upserting(kept).execute())),
    /** The same as statements, to run together with others. */
    finding: (contextId: string): CompiledQuery => selecting(contextId).compile(),
    found,
    /** Safe to repeat. */
    keeping: (kept: KeptConversation): CompiledQuery => upserting(kept).compile(),

    /** Deletes each conversation `retentionMs` after its last message. */
    purge: purgeAfter(database, { table: "agent_conversation", key: "context_id", column: "updated_at" }, retentionMs),
  };
}

/** The context that a sealed summary is bound to. */
export const summaryContext = (team: string, contextId: string): string => `thread_summary ${team} ${contextId}`;

/** The summaries of threads, for all processes of the zone. */
export type ThreadSummaries = ReturnType<typeof createSqlThreadSummaries>;

/** `agent` takes part in the conversations. */
export function createSqlThreadSummaries(
  database: ExecutionDatabase,
  agent: string,
  { vault, retentionMs }: ConversationTableOptions,
) {
  const { db, engine } = database;
  const codec = createRecordCodec(vault);
  return {
    /** Returns the memory of the task's thread; undefined when its team or conversation is unknown. */
    memoryOf: ({ team_id, context_id }: { readonly team_id?: string; readonly context_id?: string }) =>
      team_id === undefined || context_id === undefined
        ? undefined
        : memoryOf(teamKey(team_id), contextIdOf(context_id, agent)),

    /** Deletes each summary `retentionMs` after the thread's last question. */
    purge: purgeAfter(database, { table: "thread_summary", key: "context_id", column: "updated_at" }, retentionMs),
  };

  function memoryOf(team: string, contextId: string): ThreadMemory {
    const context = summaryContext(team, contextId);
    return {
      find: async () => {
        const row = await db
          .updateTable("thread_summary")
          .set({ updated_at: now(engine) })
          .where("team", "=", team)
          .where("context_id", "=", contextId)
          .returning("record")
          .executeTakeFirst();
        if (row === undefined) return undefined;
        return openedHere(() => codec.fromColumn(row.record, context)) as ThreadSummary | undefined;
      },

      keep: async (summary) => {
        const record = codec.toColumn(summary, context);
        await db
          .insertInto("thread_summary")
          .values({ context_id: contextId, team, updated_at: now(engine), record })
          .onConflict((conflict) =>
            conflict.columns(["context_id", "team"]).doUpdateSet({ record, updated_at: now(engine) }),
          )
          .execute();
      },

      drop: async () => {
        await db.deleteFrom("thread_summary").where("team", "=", team).where("context_id", "=", contextId).execute();
      },
    };
  }
}
