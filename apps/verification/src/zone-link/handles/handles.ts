import { createHash, randomBytes } from "node:crypto";
import type { WorkspaceId } from "../../slack/slack-api.ts";
import type { VerificationDatabase } from "../../database/open-verification-database.ts";

/** The grant of a handle: the files of one task's message, in the channel of that message. */
export interface HandleGrant extends WorkspaceId {
  /** The task, by its JSON-RPC request id. */
  readonly request_id: string;
  readonly correlation_id: string;
  readonly channel: string;
  readonly file_ids: readonly string[];
}

/** A handle as stored: only its digest, so that readers of the store cannot use it. */
export interface StoredHandle {
  /** SHA-256 of the handle, base64url. */
  readonly digest: string;
  readonly grant: HandleGrant;
  /** Unix milliseconds; the handle is invalid from then on. */
  readonly expires_at: number;
}

/** Stores the handles of running tasks. Several processes can share one store. */
export interface HandleStore {
  keep(handle: StoredHandle): Promise<void>;
  /** Resolves with the grant; undefined if the handle is unknown, forgotten or expired. */
  find(digest: string): Promise<HandleGrant | undefined>;
  /**
   * Counts one more file read with this handle. Resolves with false, without counting, if `most` reads were counted already or the handle
   * is invalid. Concurrent calls never succeed more than `most` times.
   */
  countRead(digest: string, most: number): Promise<boolean>;
  /** Deletes every handle of a task, if any. */
  forget(requestId: string): Promise<void>;
}

/** Issues the `bot_token` of a task before the task starts, and revokes it after the task ends in any way. */
export interface TaskTokens {
  readonly issue: (grant: HandleGrant) => Promise<string>;
  readonly revoke: (grant: HandleGrant) => Promise<void>;
}

/** Issues the bot's real token, for an execution zone that calls Slack directly. It cannot be revoked. */
export function forwardToken(token: () => string): TaskTokens {
  return { issue: async () => token(), revoke: async () => undefined };
}

/** Random handles, valid for one task each, that replace the bot's token in the execution zone. */
export interface Handles extends TaskTokens {
  /** Returns the grant of a handle; undefined if the handle is unknown, or its task has ended. */
  readonly find: (handle: string) => Promise<HandleGrant | undefined>;
  /** Counts one more read; resolves with false, without counting, when the limit `most` is reached. */
  readonly countRead: (handle: string, most: number) => Promise<boolean>;
}

export interface HandlesOptions {
  readonly store: HandleStore;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Lifetime of a handle that is not revoked, milliseconds. */
  readonly ttlMs: number;
}

/** The form of a handle: 256 random bits. */
const form = /^czh_[\w-]{43}$/;

/** Issues, finds and revokes handles. Only this module sees them in clear text: the store gets their SHA-256. */
export function createHandles({ store, now, ttlMs }: HandlesOptions): Handles {
  return {
    issue: async (grant) => {
      const handle = `czh_${randomBytes(32).toString("base64url")}`;
      if (opensFiles(grant)) await store.keep({ digest: digestOf(handle), grant, expires_at: now() + ttlMs });
      return handle;
    },
    revoke: async (grant) => {
      if (opensFiles(grant)) await store.forget(grant.request_id);
    },
    find: async (handle) => (form.test(handle) ? store.find(digestOf(handle)) : undefined),
    countRead: (handle, most) => store.countRead(digestOf(handle), most),
  };
}

/** A handle of a task without files opens nothing: it is not stored. */
const opensFiles = ({ file_ids }: HandleGrant): boolean => file_ids.length > 0;

/** A plain digest suffices, because 256 random bits can't be guessed from it. */
function digestOf(handle: string): string {
  return createHash("sha256").update(handle).digest("base64url");
}

/** Stores handles in the zone's database, shared by all processes of the zone. `now` returns Unix milliseconds. */
export function createSqlHandleStore(
  { db }: Pick<VerificationDatabase, "db">,
  { now }: { readonly now: () => number },
): HandleStore {
  return {
    keep: async ({ digest, grant, expires_at }) => {
      const { request_id, team_id } = grant;
      await db
        .insertInto("handle")
        .values({ digest, request_id, team_id, opens: JSON.stringify(grant), reads: 0, expires_at })
        .execute();
    },
    find: async (digest) => {
      const row = await db
        .selectFrom("handle")
        .select("opens")
        .where("digest", "=", digest)
        .where("expires_at", ">", now())
        .executeTakeFirst();
      return row && (JSON.parse(row.opens) as HandleGrant);
    },
    countRead: async (digest, most) => {
      const { numUpdatedRows } = await db
        .updateTable("handle")
        .set((row) => ({ reads: row("reads", "+", 1) }))
        .where("digest", "=", digest)
        .where("expires_at", ">", now())
        .where("reads", "<", most)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },
    forget: async (requestId) => {
      await db.deleteFrom("handle").where("request_id", "=", requestId).execute();
    },
  };
}
