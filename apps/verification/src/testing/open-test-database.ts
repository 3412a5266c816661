import { onTestFinished } from "vitest";
import { openVerificationDatabase, type VerificationDatabase } from "../database/open-verification-database.ts";

/** Opens an in-memory database, for tests above the stores. It closes after the test. */
export async function openTestDatabase(): Promise<VerificationDatabase> {
  const database = await openVerificationDatabase({ url: "sqlite::memory:" });
  onTestFinished(() => database.close());
  return database;
}
