import type { InputState } from "@crosszone/contracts";

/** What tasks and runs need from people. Times are Unix milliseconds, by the database's clock. */
export interface InputRequestTable {
  request_id: string;
  task_id: string | null;
  /** The workflow run that waits. */
  run_id: string | null;
  state: InputState;
  /** Increases with each change. */
  version: number;
  /** Place in the order of changes of all requests. */
  seq: number;
  /** The caller of the task. */
  caller: string | null;
  /** The caller of the zone link that shows it; null while any can claim it. */
  shown_by: string | null;
  /** Digest of the requester's team. */
  team: string | null;
  /** Who asked, can decide or has voted, see `peopleColumn`. */
  people: string;
  created_at: number;
  expires_at: number;
  /** When nothing can happen to it anymore. */
  ended_at: number | null;
  /** See `callDigest`. Null for what is no call, and in rows of older builds. */
  call_digest: string | null;
  /** The request with its terms as JSON, sealed if `DATA_KEYS` is set. */
  record: string;
}

/** One action on many items. Times are Unix milliseconds, by the database's clock. */
export interface BulkActionTable {
  id: string;
  /** `BulkActionKind`. */
  action: string;
  /** The author, and the sender of the request, as in `Author`. */
  actor: string;
  address: string;
  client: string;
  /** The author and the `Idempotency-Key`. */
  request_key: string | null;
  /** The items in order, as JSON. The next one is at `done + skipped + failed`. */
  ids: string;
  total: number;
  done: number;
  skipped: number;
  failed: number;
  /** What was skipped or failed, as JSON, in rows of older builds. */
  problems: string;
  /** 1 once someone stops it. */
  stopping: number;
  /** The `digest` of the holder who started it, until its end; null in rows of older builds. */
  credential: string | null;
  /** Why the zone stopped it. */
  stopped_because: string | null;
  created_at: number;
  ended_at: number | null;
}

/** A token of the API. Times are Unix milliseconds, by the database's clock. */
export interface ApiTokenTable {
  id: string;
  /** Unique, also among revoked tokens: approvals and the audit log trust it. */
  name: string;
  /** SHA-256 of the token, hex. The token itself is not stored. */
  digest: string;
  /** `TokenScope`s with spaces between, before and after them. */
  scopes: string;
  /** The creator's `actor`. */
  created_by: string;
  created_at: number;
  expires_at: number;
  revoked_at: number | null;
}

/** The uses of a token, or of other credentials, in a day and from one place. Times are Unix milliseconds, by the process's clock. */
export interface TokenUseTable {
  /** As in `CredentialUse`. */
  actor: string;
  /** In UTC: `2026-11-21`. */
  day: string;
  /** As in `Sender`; `other` for both in places after the first fifty of a day. */
  address: string;
  client: string;
  uses: number;
  first_at: number;
  last_at: number;
}

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

/** What people decide and do, and by what they may. */
export interface PeopleTables {
  input_request: InputRequestTable;
  /** The callers that follow input requests over the zone link, each with its last time, Unix milliseconds. */
  input_follower: {
    caller: string;
    followed_at: number;
  };
  /** One row, from the first change on: the last place in the order of changes. Its lock makes the places visible in their order. */
  input_change: {
    id: 1;
    seq: number;
  };
  bulk_action: BulkActionTable;
  bulk_problems: {
    bulk_action_id: string;
    /** How many items were worked on before these. */
    at: number;
    /** Items that were skipped or failed, as JSON. */
    problems: string;
  };
  api_token: ApiTokenTable;
  token_use: TokenUseTable;
  session: SessionTable;
  /** What counts once: states of sign-ins, and ids of logout tokens. Times are as in `session`. */
  used_once: {
    id: string;
    /** From then on it is rejected for its age. */
    expires_at: number;
  };
}
