import type { WorkspaceId } from "../slack/slack-api.ts";

/** What a handle opens: the files that came with the message of one task, in the channel where it was written. */
export interface HandleGrant extends WorkspaceId {
  /** The task, by its JSON-RPC request id. */
  readonly request_id: string;
  readonly correlation_id: string;
  readonly channel: string;
  readonly file_ids: readonly string[];
}

/** A handle as it is kept: its digest only, so that nobody who reads the store can use it. */
export interface KeptHandle {
  /** SHA-256 of the handle, base64url. */
  readonly digest: string;
  readonly grant: HandleGrant;
  /** Unix milliseconds; from then on the handle opens nothing. */
  readonly expires_at: number;
}

/** Keeps the handles of the tasks that run. Several processes may share one store. */
export interface HandleStore {
  keep(handle: KeptHandle): Promise<void>;
  /** What the handle opens; nothing when it is unknown, forgotten or expired. */
  find(digest: string): Promise<HandleGrant | undefined>;
  /**
   * Counts one more reading of a file with this handle. False, and nothing is counted, when `most` were counted already or the
   * handle opens nothing. Of several at the same time, never more than `most` are told true.
   */
  countRead(digest: string, most: number): Promise<boolean>;
  /** Forgets every handle of a task. Does nothing when there is none. */
  forget(requestId: string): Promise<void>;
}
