import type { JobTable, LaneSchema } from "@crosszone/jobs";
import type { ColumnKind } from "@crosszone/sql";

/**
 * Open and parked records, as jobs: the id is the request id, the kind and the share are the record's kind, the lane is a digest of kind
 * and thread, the team is the Slack team, and `input` is the `InboxRecord`, JSON that may be sealed. Parked records have `ended_at`.
 * Digests: `digests.ts`.
 */
export interface InboxJobTable extends JobTable {
  /** Digest of the conversation. */
  channel: string;
  /** Progress. */
  placeholder: string | null;
  /** Progress: a `KeptAnswer`, JSON; may be sealed. */
  answer: string | null;
  /** Progress: 0 or 1. */
  attached: number;
  /** The stop record that marked it. */
  stopped_by: string | null;
  parked_because: string | null;
  /** Number of leases that do not count as attempts, because the record was released. */
  uncounted: number;
}

/** The columns that records have besides those of every job. */
export type InboxColumn = Exclude<keyof InboxJobTable, keyof JobTable>;

const own = {
  channel: "text",
  placeholder: "text",
  answer: "text",
  attached: "bigint",
  stopped_by: "text",
  parked_because: "text",
  uncounted: "bigint",
} as const satisfies Record<InboxColumn, ColumnKind>;

export const inboxJobs: LaneSchema<InboxColumn> = { own, ended: [], cleared: [], uncounted: "uncounted" };

/** Returns the contexts that seal columns to their row. */
export const sealContexts = {
  record: (requestId: string): string => `inbox.record ${requestId}`,
  answer: (requestId: string): string => `inbox.answer ${requestId}`,
};
