import type { ThreadMemory, ThreadSummary } from "@crosszone/assistant";
import { createRecordCodec, SealedTextError } from "@crosszone/service-kit";
import { deleteOlder, now } from "@crosszone/sql";
import { sql } from "kysely";
import { type ExecutionDatabase, teamKey } from "../../database/open-execution-database.ts";
import type { MessagePlace } from "../agent.ts";
import { contextIdOf, type ConversationTableOptions } from "../conversations.ts";

/** The context that a sealed summary is bound to. */
export const summaryContext = (team: string, contextId: string): string => `thread_summary ${team} ${contextId}`;

/** The summaries of threads, for all processes of the zone. */
export type ThreadSummaries = ReturnType<typeof createSqlThreadSummaries>;

/** `agent` takes part in the conversations. */
export function createSqlThreadSummaries(
  { db, engine }: ExecutionDatabase,
  agent: string,
  { vault, retentionMs }: ConversationTableOptions,
) {
  const codec = createRecordCodec(vault);
  const old = sql<number>`(select ${now(engine)} - ${retentionMs})`;
  return {
    /** Returns the memory of the task's thread; undefined when its team or conversation is unknown. */
    memoryOf: ({ team_id, context_id }: MessagePlace) =>
      team_id === undefined || context_id === undefined
        ? undefined
        : memoryOf(teamKey(team_id), contextIdOf(context_id, agent)),

    /** Deletes each summary `retentionMs` after the thread's last question. */
    purge: {
      table: "thread_summary",
      purge: (most: number) =>
        deleteOlder(db, { table: "thread_summary", key: "context_id", column: "updated_at", before: old }, most),
    },
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
        try {
          return codec.fromColumn(row.record, context) as ThreadSummary;
        } catch (error) {
          // The encryption key is gone: the next summary replaces this one.
          if (error instanceof SealedTextError) return undefined;
          throw error;
        }
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
