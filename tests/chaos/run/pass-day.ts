import { openVerificationDatabase, verificationPurges } from "@crosszone/verification";
import type { ChaosEngine } from "../system/engine.ts";

const hourMs = 3_600_000;

/** Makes everything that verification keeps for a time 26 hours older, and deletes what has expired, as its processes do every ten minutes. */
export async function passDay(engine: ChaosEngine): Promise<void> {
  const database = await openVerificationDatabase({ url: engine.url("verification") });
  const { db } = database;
  const ago = 26 * hourMs;
  await db
    .updateTable("claim")
    .set(({ eb }) => ({ claimed_at: eb("claimed_at", "-", ago) }))
    .execute();
  await db
    .updateTable("thread")
    .set(({ eb }) => ({ used_at: eb("used_at", "-", ago) }))
    .execute();
  await db
    .updateTable("message")
    .set(({ eb }) => ({ ended_at: eb("ended_at", "-", ago) }))
    .execute();
  for (const { purge } of verificationPurges(database, {
    THREAD_RETENTION: 90 * 24 * hourMs,
    PARKED_RETENTION_MS: 30 * 24 * hourMs,
  }))
    await purge(1_000);
  await database.close();
}
