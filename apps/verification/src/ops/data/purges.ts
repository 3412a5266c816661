import type { Purge } from "@crosszone/service-kit";
import { deleteOlder, now, type OlderRows } from "@crosszone/sql";
import { sql } from "kysely";
import type { VerificationConfig } from "../../config/config.ts";
import type { VerificationDatabase } from "../../database/open-verification-database.ts";

const hourMs = 3_600_000;

/** Slack retries an event for about an hour; claims are kept for at least a day. */
const claimsMs = 25 * hourMs;

/** Returns the purges of expired rows, by the database's clock. */
export function verificationPurges(
  { db, engine }: Pick<VerificationDatabase, "db" | "engine">,
  keep: Pick<VerificationConfig, "THREAD_RETENTION" | "PARKED_RETENTION">,
): readonly Purge[] {
  // The time is read once for all rows, so that an index can be used.
  const after = (ms: number): OlderRows["before"] => sql<number>`(select ${now(engine)} - ${sql.lit(ms)})`;
  const rows: readonly OlderRows[] = [
    { table: "handle", key: "digest", column: "expires_at", before: after(0) },
    { table: "spent_state", key: "digest", column: "expires_at", before: after(0) },
    { table: "claim", key: "digest", column: "claimed_at", before: after(claimsMs) },
    { table: "thread", key: "digest", column: "used_at", before: after(keep.THREAD_RETENTION) },
    // Of the jobs, only parked records have ended without having been deleted.
    { table: "job", key: "sequence", column: "ended_at", before: after(keep.PARKED_RETENTION) },
  ];
  return rows.map((older) => ({ table: older.table, purge: (most) => deleteOlder(db, older, most) }));
}
