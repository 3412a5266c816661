import { now, type Engine } from "@crosszone/sql";
import type { Kysely } from "kysely";
import type { VerificationDatabase, VerificationTables } from "../database/open-verification-database.ts";
import { threadOf } from "./digests.ts";
import type { TeamThread, ThreadStore } from "./thread-store.ts";

const unbound = { agent: null, context_id: null };

/** Stores threads in the zone's database. */
export function createSqlThreadStore({ db, engine }: Pick<VerificationDatabase, "db" | "engine">): ThreadStore {
  return {
    join: async (thread) => {
      await db
        .insertInto("thread")
        .values({ digest: threadOf(thread), team_id: thread.team_id, ...unbound, joined: 1, used_at: now(engine) })
        .onConflict((known) => known.column("digest").doUpdateSet({ joined: 1, used_at: now(engine) }))
        .execute();
    },
    leave: async (thread) => {
      await db.deleteFrom("thread").where("digest", "=", threadOf(thread)).where("joined", "=", 0).execute();
    },
    has: async (thread) =>
      (await db.selectFrom("thread").select("digest").where("digest", "=", threadOf(thread)).executeTakeFirst()) !==
      undefined,
    conversation: async (thread) => {
      const digest = threadOf(thread);
      const { context_id, agent } = await db
        .insertInto("thread")
        .values({
          digest,
          team_id: thread.team_id,
          ...unbound,
          joined: 0,
          used_at: now(engine),
          context_id: crypto.randomUUID(),
        })
        .onConflict((known) =>
          known.column("digest").doUpdateSet({
            used_at: now(engine),
            // Two processes that call at once both get the id of the first.
            context_id: (fields) => fields.fn.coalesce("thread.context_id", "excluded.context_id"),
          }),
        )
        .returning(["context_id", "agent"])
        .executeTakeFirstOrThrow();
      return { context_id: context_id ?? "", ...(agent !== null && { agent }) };
    },
    bind: async (thread, agent) => {
      await db.updateTable("thread").set({ agent }).where("digest", "=", threadOf(thread)).execute();
    },
  };
}

/** Records that someone addressed the app in a thread, within the transaction that accepts the message. */
export async function addThread(
  transaction: Kysely<VerificationTables>,
  engine: Engine,
  thread: TeamThread,
): Promise<void> {
  await transaction
    .insertInto("thread")
    .values({ digest: threadOf(thread), team_id: thread.team_id, ...unbound, joined: 0, used_at: now(engine) })
    .onConflict((known) => known.column("digest").doUpdateSet({ used_at: now(engine) }))
    .execute();
}
