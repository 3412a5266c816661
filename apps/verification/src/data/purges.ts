import type { Purge } from "@crosszone/service-kit";
import { deleteOlder, now } from "@crosszone/sql";
import type { VerificationDatabase } from "../database/open-verification-database.ts";

/** What the zone forgets by itself, by table. */
export function verificationPurges({ db, engine }: VerificationDatabase): readonly Purge[] {
  const handles = { table: "handle", key: "digest", column: "expires_at", before: now(engine) };
  return [{ table: "handle", purge: (most) => deleteOlder(db, handles, most) }];
}
