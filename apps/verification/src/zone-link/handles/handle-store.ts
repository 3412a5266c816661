import type { WorkspaceId } from "../../slack/slack-api.ts";

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
