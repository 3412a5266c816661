import { createRecordCodec } from "@crosszone/service-kit";
import type { VerificationDatabase } from "../database/open-verification-database.ts";
import type { Inbox } from "../inbox/inbox.ts";
import { createSqlInbox, type SqlInboxOptions } from "../inbox/sql-inbox.ts";

/** Makes the inbox of a separate process, on a database that others can share. */
export function createTestInbox(database: VerificationDatabase, options: Partial<SqlInboxOptions> = {}): Inbox {
  const codec = createRecordCodec(undefined);
  return createSqlInbox(database, {
    leaseMs: 10_000,
    attempts: 8,
    most: 10_000,
    codec,
    ...options,
  });
}
