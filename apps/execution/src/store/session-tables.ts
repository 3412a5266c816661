import { sqlStep } from "@crosszone/sql";

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

export const sessionsStep = sqlStep(`
  create table session (
    digest text primary key, id text not null, iss text not null, sub text not null, sid text, person text not null,
    id_token text, created_at bigint not null, seen_at bigint not null, ended_at bigint);
  create index session_by_person on session (iss, sub);
  create index session_by_age on session (created_at);
  create table used_once (id text primary key, expires_at bigint not null);
  create index used_once_by_expiry on used_once (expires_at)`);
