import { tablesStep } from "@crosszone/sql";

/** A session of the console. Times are Unix milliseconds, by the database's clock. */
export interface SessionTable {
  /** SHA-256 of the cookie, hex. The cookie itself is not stored. */
  digest: string;
  /** Names the session in the audit log. */
  id: string;
  /** The issuer, and the person's subject there. */
  iss: string;
  sub: string;
  /** The session at the provider; null when it names none. */
  sid: string | null;
  /** What the claims said, a `Person` as JSON. */
  person: string;
  /** The ID token, sealed, for the sign-out at the provider; null without `DATA_KEYS`, and after the session. */
  id_token: string | null;
  created_at: number;
  /** The last request, at most a minute old. */
  seen_at: number;
  ended_at: number | null;
}

export interface SessionTables {
  session: SessionTable;
  /** What counts once: states of sign-ins, and ids of logout tokens. Times are as in `session`. */
  used_once: {
    id: string;
    /** From then on it is rejected for its age. */
    expires_at: number;
  };
}

export const sessionsStep = tablesStep(["session", "used_once"], async (db) => {
  await db.schema
    .createTable("session")
    .addColumn("digest", "text", (column) => column.primaryKey())
    .addColumn("id", "text", (column) => column.notNull())
    .addColumn("iss", "text", (column) => column.notNull())
    .addColumn("sub", "text", (column) => column.notNull())
    .addColumn("sid", "text")
    .addColumn("person", "text", (column) => column.notNull())
    .addColumn("id_token", "text")
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("seen_at", "bigint", (column) => column.notNull())
    .addColumn("ended_at", "bigint")
    .execute();
  await db.schema.createIndex("session_by_person").on("session").columns(["iss", "sub"]).execute();
  await db.schema.createIndex("session_by_age").on("session").column("created_at").execute();
  await db.schema
    .createTable("used_once")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("used_once_by_expiry").on("used_once").column("expires_at").execute();
});
