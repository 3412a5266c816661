import { openVerificationDatabase, verificationPurges } from "@crosszone/verification";
import { sql } from "kysely";
import type { ChaosEngine } from "../system/engine.ts";

const hourMs = 3_600_000;

/** Makes everything that verification keeps for a time 26 hours older, and deletes what has expired, as its processes do every ten minutes. */
export async function passDay(engine: ChaosEngine): Promise<void> {
  const database = await openVerificationDatabase({ url: engine.url("verification") });
  const ago = 26 * hourMs;
  const times = { claim: "claimed_at", thread: "used_at", message: "ended_at" };
  for (const [table, column] of Object.entries(times))
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sql.ref(column)} - ${ago}`.execute(database.db);
  const kept = { THREAD_RETENTION: 90 * 24 * hourMs, PARKED_RETENTION_MS: 30 * 24 * hourMs };
  for (const { purge } of verificationPurges(database, kept)) await purge(1_000);
  await database.close();
}
