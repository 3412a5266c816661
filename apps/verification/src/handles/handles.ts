import { createHash, randomBytes } from "node:crypto";
import type { HandleGrant, HandleStore } from "./handle-store.ts";
import type { TaskTokens } from "./task-tokens.ts";

/** Random, task-scoped handles that stand in the place of the bot's token on the other side of the wall. */
export interface Handles extends TaskTokens {
  /** What a handle opens; nothing when it is no handle of ours, or its task has ended. */
  readonly find: (handle: string) => Promise<HandleGrant | undefined>;
  /** Counts one more reading; false when it would be one too many. */
  readonly countRead: (handle: string, most: number) => Promise<boolean>;
}

export interface HandlesOptions {
  readonly store: HandleStore;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** How long a handle is good for when nobody revokes it, milliseconds. */
  readonly ttlMs: number;
}

/** The form of a handle: 256 random bits. */
const form = /^czh_[\w-]{43}$/;

/** Mints, finds and revokes handles. The only place that sees them in clear: the store gets their SHA-256. */
export function createHandles({ store, now, ttlMs }: HandlesOptions): Handles {
  return {
    issue: async (grant) => {
      const handle = `czh_${randomBytes(32).toString("base64url")}`;
      await store.keep({ digest: digestOf(handle), grant, expires_at: now() + ttlMs });
      return handle;
    },
    revoke: (requestId) => store.forget(requestId),
    find: async (handle) => (form.test(handle) ? store.find(digestOf(handle)) : undefined),
    countRead: (handle, most) => store.countRead(digestOf(handle), most),
  };
}

/** No salt and no stretching: 256 random bits cannot be guessed from their digest. */
function digestOf(handle: string): string {
  return createHash("sha256").update(handle).digest("base64url");
}
