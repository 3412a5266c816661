import { nowText, type WriteRow, writeStatement } from "@crosszone/sql";
import { notifying } from "../table/job-events.ts";
import { jobStates } from "../table/job-tables.ts";
import { endColumns, endRow, isLeasedText, leaseColumns, resultText } from "../table/job-texts.ts";
import type { JobEnd, LeaseId } from "../table/job.ts";
import type { GroupedWritesDeps } from "./grouped-writes.ts";

/** What a job becomes when the work on it has ended, and other work with its result begins. */
export interface NextWork {
  /** The kind of the job from now on; the same when absent. */
  readonly kind?: string;
  readonly share: string;
  /** `leased`: this process keeps the lease. `ready`: any process may take the job. */
  readonly as: "ready" | "leased";
  /** How often the job counts as leased from now on; the same when absent. */
  readonly attempt?: number;
}

/** Stores the end of leased work as the job's result, and passes the job on. Returns false when the lease is lost. */
export type PassOn<Own extends string> = (leaseId: LeaseId, end: JobEnd<Own>, next: NextWork) => Promise<boolean>;

/** Concurrent calls share a commit. None is retried. */
export function createPassOn<Own extends string>({
  database,
  lease,
  schema,
  group,
}: GroupedWritesDeps<Own>): PassOn<Own> {
  const now = nowText[database.engine];
  // A job that already has the new kind was passed on before: a later lease of it may look the same.
  const text = (rows: string): string => `
    update job set kind = coalesce(new.next_kind, job.kind), share = new.next_share, state = new.next_state,
      owner = case when new.next_state = ${jobStates.leased} then job.owner end,
      attempt = coalesce(new.next_attempt, job.attempt), due_at = ${now}, ended_at = ${now}, ${resultText(schema)}
    from ${rows} where ${isLeasedText} and (new.next_kind is null or job.kind <> new.next_kind)`;
  const statement = writeStatement<string>({
    table: "job",
    key: "id",
    columns: {
      ...leaseColumns,
      ...endColumns(schema),
      next_kind: "text",
      next_share: "text",
      next_state: "bigint",
      next_attempt: "bigint",
    },
    text,
    postgresText: (rows) =>
      notifying(`${text(rows)} returning job.id, job.share, job.state`, {
        payload: "share",
        where: `state = ${jobStates.ready}`,
      }),
    locksInOrder: true,
  });
  const write = group((rows: readonly WriteRow<string>[]) => database.write(statement, rows), {
    sizeOf: ({ output }) => String(output ?? "").length,
  });
  return (leaseId, end, { kind = null, share, as, attempt = null }) =>
    write({
      ...endRow(schema, leaseId, { owner: lease.owner, end }),
      next_kind: kind,
      next_share: share,
      next_state: jobStates[as],
      next_attempt: attempt,
    });
}
