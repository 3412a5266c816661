import { createHash, randomBytes } from "node:crypto";
import type { WorkspaceId } from "../slack/slack-api.ts";
import type { VerificationDatabase } from "../database.ts";

/** The grant of a handle: files of one task's message and of its thread, in the channel of that message. */
export interface HandleGrant extends WorkspaceId {
  /** The task, by its JSON-RPC request id. */
  readonly request_id: string;
  readonly correlation_id: string;
  readonly channel: string;
  readonly file_ids: readonly string[];
}

/** A task, by its request id. Its files are not known to what watches it while it is paused. */
type HandleTask = Pick<HandleGrant, "request_id"> & Partial<Pick<HandleGrant, "file_ids">>;

/** Issues the `bot_token` of a task before the task starts, and revokes it after the task ends in any way. */
export interface TaskTokens {
  readonly issue: (grant: HandleGrant) => Promise<string>;
  /** Keeps the token of a task that is paused, until it is revoked. */
  readonly keep: (task: HandleTask) => Promise<void>;
  readonly revoke: (task: HandleTask) => Promise<void>;
}

/** Issues the bot's real token, for an execution zone that calls Slack directly. It cannot be revoked. */
export function forwardToken(token: () => string): TaskTokens {
  return { issue: async () => token(), keep: async () => undefined, revoke: async () => undefined };
}

/** Random handles, valid for one task each, that replace the bot's token in the execution zone. */
export interface Handles extends TaskTokens {
  /** Resolves with the grant of a handle; undefined if the handle is unknown, or its task has ended. */
  readonly find: (handle: string) => Promise<HandleGrant | undefined>;
  /**
   * Counts one more file read with this handle. Resolves with false, without counting, if `most` reads were counted already or the handle
   * is invalid. Concurrent calls never succeed more than `most` times.
   */
  readonly countRead: (handle: string, most: number) => Promise<boolean>;
}

/** The longest life of the handle of a paused task, milliseconds: 400 days, the longest wait of a workflow. */
const longestPauseMs = 400 * 86_400_000;

/**
 * Issues, finds and revokes handles, of all processes of the zone. A handle that is neither kept nor revoked is valid for `ttlMs` milliseconds. Only this
 * module sees handles in clear text: the database gets their SHA-256, base64url.
 */
export function createHandles(
  { db }: VerificationDatabase,
  { now, ttlMs }: { readonly now: () => number; readonly ttlMs: number },
): Handles {
  return {
    issue: async (grant) => {
      const { request_id, team_id } = grant;
      const handle = `czh_${randomBytes(32).toString("base64url")}`;
      const row = { request_id, team_id, opens: JSON.stringify(grant), reads: 0, expires_at: now() + ttlMs };
      if (opensFiles(grant))
        await db
          .insertInto("handle")
          .values({ digest: digestOf(handle), ...row })
          .execute();
      return handle;
    },
    keep: async (task) => {
      const expires_at = now() + longestPauseMs;
      if (opensFiles(task))
        await db.updateTable("handle").set({ expires_at }).where("request_id", "=", task.request_id).execute();
    },
    revoke: async (task) => {
      if (opensFiles(task)) await db.deleteFrom("handle").where("request_id", "=", task.request_id).execute();
    },
    find: async (handle) => {
      if (!/^czh_[\w-]{43}$/.test(handle)) return undefined;
      const row = await db
        .selectFrom("handle")
        .select("opens")
        .where("digest", "=", digestOf(handle))
        .where("expires_at", ">", now())
        .executeTakeFirst();
      return row && (JSON.parse(row.opens) as HandleGrant);
    },
    countRead: async (handle, most) => {
      const { numUpdatedRows } = await db
        .updateTable("handle")
        .set((row) => ({ reads: row("reads", "+", 1) }))
        .where("digest", "=", digestOf(handle))
        .where("expires_at", ">", now())
        .where("reads", "<", most)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },
  };
}

/** A handle of a task without files opens nothing: it is not stored. */
const opensFiles = ({ file_ids }: HandleTask): boolean => file_ids === undefined || file_ids.length > 0;

/** A plain digest suffices, because 256 random bits can't be guessed from it. */
const digestOf = (handle: string): string => createHash("sha256").update(handle).digest("base64url");
