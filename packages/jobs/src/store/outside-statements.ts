import { type Engine, now, nowText, writeStatement, type WriteStatement } from "@crosszone/sql";
import { type RawBuilder, sql } from "kysely";
import { notifyingEnds } from "../table/job-events.ts";
import { type JobSchema, jobStates } from "../table/job-tables.ts";
import {
  endColumns,
  endRow,
  insertColumns,
  insertOrText,
  insertRow,
  isLeasedText,
  leaseColumns,
  resultText,
} from "../table/job-texts.ts";
import type { JobEnd, LeasedJob, LeaseId, NewJob } from "../table/job.ts";

const { ended } = jobStates;

/** A job that an arriving one takes over, if it has this share and has not ended. */
export interface TakenOver<Own extends string> {
  readonly share: string;
  /** The own columns that it gets from the arriving one, besides share, state, lease and due time. */
  readonly own?: readonly Own[];
}

/** Stores jobs or takes them over, one after another, in the order of their ids. */
export function takeOverStatement<Own extends string>(
  schema: JobSchema<Own>,
  engine: Engine,
  { share, own = [] }: TakenOver<Own>,
): WriteStatement<string> {
  const taken = ["share", "state", "owner", "attempt", "due_at", ...own];
  const onConflict = `(id) do update set ${taken.map((name) => `${name} = excluded.${name}`).join(", ")}
    where job.share = '${share.replaceAll("'", "''")}' and job.state < ${ended}`;
  const text = (rows: string): string => insertOrText(schema, rows, { engine, onConflict });
  return writeStatement<string>({ table: "job", key: "id", columns: insertColumns(schema), text });
}

/** Sets the state of leased jobs of a share, which no longer need their lease. */
export const settleStatement: WriteStatement<string> = writeStatement<string>({
  table: "job",
  key: "id",
  columns: { ...leaseColumns, share: "text", to_state: "bigint" },
  // The share shows that the job was not taken over meanwhile.
  text: (rows) => `
    update job set state = new.to_state, owner = case when new.to_state = ${ended} then job.owner end
    from ${rows} where ${isLeasedText} and job.share = new.share`,
  locksInOrder: true,
});

/** Ends jobs of one of two shares. Notifies other processes of those with `notifies`, whether or not they had ended. */
export function endStatement<Own extends string>(schema: JobSchema<Own>, engine: Engine): WriteStatement<string> {
  const text = (rows: string): string => `
    update job set state = ${ended}, owner = null, ended_at = coalesce(job.ended_at, ${nowText[engine]}), ${resultText(schema)}
    from ${rows} where job.id = new.id and job.state < ${ended} and job.share in (new.share, new.or_share)`;
  return writeStatement<string>({
    table: "job",
    key: "id",
    columns: { id: "text", ...endColumns(schema), share: "text", or_share: "text", notifies: "bigint" },
    text,
    postgresText: (rows, unlocked) =>
      notifyingEnds(`${text(rows)} returning job.id`, `${unlocked} where new.notifies = 1`),
    locksInOrder: true,
  });
}

/** An end that arrives before its job, or without work on it. Its output goes on under the job's share. */
export interface AddedEnd<Own extends string> {
  readonly job: Pick<NewJob<Own>, "id" | "kind" | "share" | "team" | "record" | "own">;
  readonly end: JobEnd<Own>;
  readonly as: "leased" | "ready";
  /** A job that exists ends if it has this share and has not ended. */
  readonly insteadOf: string;
  /** It also ends under any other share than its new one, and if it ended with the same outcome but without output. */
  readonly anywhere: boolean;
}

/** A job that an added end has ended: the stored one if it existed. */
export type EndedJob = LeaseId & Pick<LeasedJob, "record" | "waited_ms">;

/** Stores the end of a job. Returns the job, unless it had ended or is left alone. */
export function addEnd<Own extends string>(
  schema: JobSchema<Own>,
  { engine, owner }: { readonly engine: Engine; readonly owner: string },
  { job, end, as, insteadOf, anywhere }: AddedEnd<Own>,
): RawBuilder<EndedJob> {
  const { due_ms: _due, deadline_ms: _deadline, ...row } = insertRow(schema, { ...job, as }, owner);
  const { notifies: _notifies, ...result } = endRow(schema, { id: job.id, attempt: 1 }, { owner, end });
  const time = now(engine);
  const values = { ...row, ...result, owner: row["owner"], due_at: time, created_at: time, ended_at: time };
  const moved = ["share", "state", "owner", "due_at", "ended_at"]
    .map((name) => `${name} = excluded.${name}`)
    .join(", ");
  const isAnywhere = sql.raw(String(anywhere));
  return sql`
    insert into job (${sql.join(Object.keys(values).map((name) => sql.ref(name)))})
    values (${sql.join(Object.values(values))})
    on conflict (id) do update set attempt = job.attempt + 1, ${sql.raw(moved)}, ${sql.raw(resultText(schema, "excluded"))}
    where (job.state < ${sql.lit(ended)}
        and (job.share = ${insteadOf} or (${isAnywhere} and job.share <> excluded.share)))
      or (${isAnywhere} and job.state = ${sql.lit(ended)} and job.outcome = excluded.outcome and job.output is null)
    returning id, attempt, record, ended_at - created_at as waited_ms`;
}
