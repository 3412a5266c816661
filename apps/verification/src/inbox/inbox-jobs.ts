import type { JobTable, JobSchema } from "@crosszone/jobs";
import type { ColumnKind } from "@crosszone/sql";
import type { InboxJobTable } from "../database/tables.ts";

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

export const inboxJobs: JobSchema<InboxColumn> = { own, ended: [], cleared: [], uncounted: "uncounted" };

/** Returns the contexts that seal columns to their row. */
export const sealContexts = {
  record: (requestId: string): string => `inbox.record ${requestId}`,
  answer: (requestId: string): string => `inbox.answer ${requestId}`,
};
