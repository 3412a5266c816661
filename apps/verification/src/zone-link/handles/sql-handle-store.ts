import type { VerificationDatabase } from "../../database/open-verification-database.ts";
import type { HandleGrant, HandleStore } from "./handles.ts";

/** Stores handles in the zone's database, shared by all processes of the zone. `now` returns Unix milliseconds. */
export function createSqlHandleStore(
  { db }: Pick<VerificationDatabase, "db">,
  { now }: { readonly now: () => number },
): HandleStore {
  return {
    keep: async ({ digest, grant, expires_at }) => {
      const { request_id, team_id } = grant;
      await db
        .insertInto("handle")
        .values({ digest, request_id, team_id, opens: JSON.stringify(grant), reads: 0, expires_at })
        .execute();
    },
    find: async (digest) => {
      const row = await db
        .selectFrom("handle")
        .select("opens")
        .where("digest", "=", digest)
        .where("expires_at", ">", now())
        .executeTakeFirst();
      return row && (JSON.parse(row.opens) as HandleGrant);
    },
    countRead: async (digest, most) => {
      const { numUpdatedRows } = await db
        .updateTable("handle")
        .set((row) => ({ reads: row("reads", "+", 1) }))
        .where("digest", "=", digest)
        .where("expires_at", ">", now())
        .where("reads", "<", most)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },
    forget: async (requestId) => {
      await db.deleteFrom("handle").where("request_id", "=", requestId).execute();
    },
  };
}
