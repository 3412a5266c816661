import { rowsFromJson, type Database, type Engine } from "@crosszone/sql";
import { sql, type CompiledQuery, type RawBuilder } from "kysely";
import { frontPrefix, notifyingChanged } from "../table/job-events.ts";
import { jobStates, type JobTables } from "../table/job-tables.ts";

const { ready, leased, behind, waiting } = jobStates;

/** A lane's head is in one of these states, which the condition of the index `job_lane` names too. */
export const isHead: string = `state in (${ready}, ${leased}, ${waiting})`;

/** The payload of the notification about a job that keeps its place. */
export const atFront: string = `'${frontPrefix}' || share`;

/**
 * Locks lanes until the end of the transaction, before a statement reads them: otherwise a job could enter behind a head that ends at the
 * same time. In one order, so that two transactions never wait for each other. SQLite locks the whole database.
 */
const lockLanes = (lanes: readonly string[]): RawBuilder<unknown> => sql`
  select pg_advisory_xact_lock(hash) from (
    select distinct hashtextextended(lane, 0) as hash from unnest(${lanes}::text[]) as of(lane) order by hash) as hashes`;

/** Makes the oldest job of each lane without a head its head, and notifies other processes of them. Returns the shares of those jobs. */
export const promoteHeads = (engine: Engine, lanes: readonly string[]): RawBuilder<{ readonly share: string }> => {
  const rows = [...new Set(lanes)].map((lane) => ({ lane }));
  const next = sql`
    select (select min(sequence) from job as next where next.lane = lanes.lane and next.state = ${sql.lit(behind)}) as sequence
    from ${rowsFromJson(engine, rows, { alias: "lanes", columns: { lane: "text" } })}
    where not exists (select 1 from job as head where head.lane = lanes.lane and head.${sql.raw(isHead)})`;
  const promoted = sql<{ readonly share: string }>`
    update job set state = ${sql.lit(ready)} where sequence ${isOneOf(engine, next)} returning share`;
  if (engine === "sqlite") return promoted;
  const notified = notifyingChanged({ payload: atFront, where: "true", answer: "share" });
  return sql`with changed as (${promoted}), ${sql.raw(notified)}`;
};

/** Compares with the rows of a query. PostgreSQL reads an array from the index; an `in` it may join with the whole table. */
export const isOneOf = (engine: Engine, query: RawBuilder<unknown>): RawBuilder<unknown> =>
  engine === "postgres" ? sql`= any(array(${query}))` : sql`in (${query})`;

/** Returns the lanes with jobs but without a head. Jumps from lane to lane, so that a long one costs no more than a short one. */
export const headlessLanes: RawBuilder<{ readonly lane: string }> = sql`
  with recursive lanes(lane) as (
    select min(lane) from job where state = ${sql.lit(behind)}
    union all
    select (select min(lane) from job where state = ${sql.lit(behind)} and lane > lanes.lane) from lanes
    where lanes.lane is not null)
  select lane from lanes
  where lane is not null and not exists (select 1 from job where job.lane = lanes.lane and ${sql.raw(isHead)})`;

/** Changes of jobs in lanes that may leave these without a head. */
export interface LaneChanges {
  /** Returns the statements that lock lanes and other names until the end of their transaction; none on SQLite. */
  readonly locking: (names: readonly string[]) => readonly CompiledQuery[];
  /** Runs a change and promotes new heads, in one round trip. Returns the rows of the change. */
  readonly change: <Row>(lanes: readonly string[], change: RawBuilder<Row>) => Promise<readonly Row[]>;
  /** Gives each lane without a head one. Returns how many. */
  readonly heal: () => Promise<number>;
}

/** `onPromoted` is called with the shares of jobs that have become heads of their lanes. */
export function createLaneChanges(
  { db, engine, batch }: Database<JobTables>,
  onPromoted: (shares: ReadonlySet<string>) => void,
): LaneChanges {
  const locking = (names: readonly string[]): readonly CompiledQuery[] =>
    engine === "postgres" ? [lockLanes(names).compile(db)] : [];

  async function change<Row>(lanes: readonly string[], changing: RawBuilder<Row>): Promise<readonly Row[]> {
    const promoting = promoteHeads(engine, lanes).compile(db);
    const results = await batch([...locking(lanes), changing.compile(db), promoting]);
    const promoted = results.at(-1)?.rows as readonly { readonly share: string }[];
    const shares = new Set(promoted.map(({ share }) => share));
    if (shares.size > 0) onPromoted(shares);
    return results.at(-2)?.rows as readonly Row[];
  }

  return {
    locking,
    change,
    heal: async () => {
      const { rows } = await headlessLanes.execute(db);
      const lanes = rows.map(({ lane }) => lane);
      if (lanes.length > 0) await change(lanes, sql`select lane from job where false`);
      return lanes.length;
    },
  };
}
