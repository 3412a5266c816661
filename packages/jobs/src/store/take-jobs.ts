import { type Database, type Engine, forUpdateSkipLocked, now } from "@crosszone/sql";
import { type RawBuilder, sql } from "kysely";
import type { JobTables, LeasedJob, WantedJobs } from "../table/job-tables.ts";

/** Where the last take of a share ended. Jobs before it were taken; PostgreSQL would read each of them again. */
interface TakeMark {
  readonly due_at: number;
  readonly sequence: number;
}

type TakenRow<Own extends string> = LeasedJob<Own> & TakeMark;

const core = "id kind share lane attempt parent team record input output due_at sequence".split(" ");

/**
 * Returns the shares of a kind that have jobs to take, longest waiting first. Jumps from share to share in the index, so
 * that a long queue costs no more than a short one. https://wiki.postgresql.org/wiki/Loose_indexscan
 */
export async function findWaitingShares({ db, engine }: Database<JobTables>, kind: string): Promise<string[]> {
  // Not `min`: before PostgreSQL 18, it reads all rows of a table that was never analyzed.
  const first = (after: RawBuilder<unknown>) => sql`
    select share from job where state = 0 and share ${after} and share < ${`${kind}!`} order by share limit 1`;
  const { rows } = await sql<{ share: string }>`
    with recursive shares(share) as (
      select share from (${first(sql`>= ${kind}`)}) as one
      union all
      select (${first(sql`> shares.share`)}) from shares where shares.share is not null),
    waiting as (
      select share, (select min(due_at) from job where job.share = shares.share and state = 0) as since
      from shares where share is not null)
    select share from waiting where since <= ${now(engine)} order by since`.execute(db);
  return rows.map(({ share }) => share);
}

/** Leases jobs to `owner`, up to each share's limit, longest waiting first. `own`: the columns of the zone to read. */
export async function takeJobs<Own extends string>(
  { unflushed, engine }: Database<JobTables>,
  wanted: readonly WantedJobs[],
  { owner, own, marks }: { readonly owner: string; readonly own: readonly string[]; readonly marks: TakeMarks },
): Promise<TakenRow<Own>[]> {
  if (wanted.length === 0) return [];
  const free = engine === "postgres" ? lateral(wanted, marks) : union(wanted);
  // Materialized: otherwise PostgreSQL may run the subquery several times during the update and lease more than wanted.
  const taking = sql<TakenRow<Own>>`
    with free as materialized (${free})
    update job set state = 1, owner = ${owner}, attempt = attempt + 1
    from free where job.sequence = free.sequence
    returning ${sql.join([...core, ...own].map((name) => sql.ref(`job.${name}`)))},
      deadline_at - ${now(engine)} as remaining_ms, ${now(engine)} - created_at as waited_ms`;
  const { rows } = await unflushed((db) => taking.execute(db));
  return rows.toSorted((a, b) => a.due_at - b.due_at || a.sequence - b.sequence);
}

/**
 * Numbers are parameters, so that the compiled statement is reused. The time is read once and the order is the index's,
 * so that PostgreSQL reads only the index's beginning, even without statistics.
 */
function lateral(wanted: readonly WantedJobs[], marks: TakeMarks): RawBuilder<unknown> {
  const after = wanted.map(({ share }) => marks.of(share) ?? { due_at: 0, sequence: 0 });
  return sql`
    select found.sequence
    from unnest(${wanted.map(({ share }) => share)}::text[], ${wanted.map(({ most }) => most)}::bigint[],
      ${after.map(({ due_at }) => due_at)}::bigint[], ${after.map(({ sequence }) => sequence)}::bigint[])
      as asked(share, most, due_after, sequence_after)
    cross join lateral (
      select job.sequence from job
      where job.share = asked.share and job.state = 0 and job.due_at <= (select ${now("postgres")})
        and (job.due_at, job.sequence) > (asked.due_after, asked.sequence_after)
      order by job.due_at, job.sequence limit asked.most ${forUpdateSkipLocked("postgres", "job")}) as found`;
}

const union = (wanted: readonly WantedJobs[]): RawBuilder<unknown> =>
  sql.join(
    wanted.map(
      ({ share, most }) => sql`
        select sequence from (
          select sequence from job where share = ${share} and state = 0 and due_at <= (select ${now("sqlite")})
          order by due_at, sequence limit ${most}) as share`,
    ),
    sql` union all `,
  );

/** How long a mark holds, milliseconds. A job that was committed late may stand before it. */
const holdMs = 1_000;

/**
 * Where the last takes of long queues ended. While an old snapshot is open, PostgreSQL keeps the index entries of taken jobs and reads each
 * again: takes of a long queue would become slower and slower. They start at the mark instead, and at the front again once a second.
 */
export class TakeMarks {
  readonly #engine: Engine;
  readonly #marks = new Map<string, TakeMark & { readonly at: number }>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  of(share: string): TakeMark | undefined {
    const mark = this.#marks.get(share);
    if (mark !== undefined && performance.now() - mark.at < holdMs) return mark;
    this.#marks.delete(share);
    return undefined;
  }

  taken(wanted: readonly WantedJobs[], jobs: readonly (TakeMark & { readonly share: string })[]): void {
    if (this.#engine === "sqlite") return;
    const byShare = Map.groupBy(jobs, ({ share }) => share);
    for (const { share, most } of wanted) {
      const got = byShare.get(share) ?? [];
      const last = got.at(-1);
      const at = this.#marks.get(share)?.at ?? performance.now();
      // A short answer means that the queue is empty: the next job may be anywhere.
      if (last === undefined || got.length < most) this.#marks.delete(share);
      else this.#marks.set(share, { due_at: last.due_at, sequence: last.sequence, at });
    }
  }

  /** Jobs before the marks became ready: takes start at the front again. */
  clear(): void {
    this.#marks.clear();
  }
}
