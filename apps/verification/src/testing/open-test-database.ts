import { onTestFinished } from "vitest";
import { openVerificationDatabase, type VerificationDatabase } from "../database/open-verification-database.ts";

/** A database in memory, for tests of what stands above the stores. It ends with the test. */
export async function openTestDatabase(): Promise<VerificationDatabase> {
  const database = await openVerificationDatabase({ url: "sqlite::memory:" });
  onTestFinished(() => database.close());
  return database;
}
