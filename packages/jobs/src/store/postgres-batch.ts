import { notifyText, nowText, prepare } from "@crosszone/sql";
import { CompiledQuery, type Kysely } from "kysely";
import { endedPrefix, jobChannel } from "../table/job-events.ts";
import { type JobSchema, jobStates } from "../table/job-tables.ts";
import { dropText, insertText, isLeasedText } from "../table/job-texts.ts";
import { batchColumns, type BatchRows, batchRows, type BatchTables, unitColumnsOf, type WriteBatch } from "./batch.ts";

/** Returns a function that writes a batch in one statement, in a transaction or not. */
export function postgresBatch<Own extends string>(
  schema: JobSchema<Own>,
  tables: BatchTables<string, string>,
): WriteBatch<Pick<Kysely<never>, "executeQuery">, Own> {
  const columns = Object.entries(batchColumns(schema, tables)) as [keyof BatchRows, Record<string, string>][];
  const { unit, units, parts } = tables;
  const unitColumns = unitColumnsOf(unit);
  const rowsOf = (table: keyof BatchRows, those: "fit" | "taken"): string =>
    `(select ${table}.* from ${table} join ${those} on ${those}.unit = ${table}.${unitColumns[table]}) as new`;
  const { where } = units;
  const queries = [
    ...unnested(columns),
    ...(where === undefined ? [] : lockedUnits(unit, units.table, where)),
    `taken as (${units.write(where === undefined ? "units as new" : rowsOf("units", "fit"))} returning ${units.table}.${unit} as unit)`,
    `forgotten as (delete from job using ${rowsOf("done", "taken")} where job.id = new.id)`,
    `stopped as (${dropText(schema, rowsOf("dropped", "taken"), "postgres")} returning job.id)`,
    `put as (${parts.write(rowsOf("parts", "taken"))})`,
    `stored as (${insertText(schema, rowsOf("added", "taken"), "postgres")} returning id, share, state)`,
    `notified as materialized (select ${notifyText("postgres", jobChannel, "payload")} from (
      select share as payload from stored where state = ${jobStates.ready}
      union select '${endedPrefix}' || id from stopped) as news)`,
  ];
  const text = `with ${queries.join(",\n")}
    select unit as id, 0 as is_job, ${nowText.postgres} as at from taken where (select count(*) from notified) >= 0
    union all select id, 1, 0 from stored`;
  prepare(text);

  return async (db, batch, owner) => {
    const rows = batchRows(schema, batch, owner);
    const values = columns.flatMap(([name, kinds]) =>
      Object.keys(kinds).map((column) => rows[name].map((row) => row[column])),
    );
    const written = await db.executeQuery<{ id: string; is_job: number; at: number }>(CompiledQuery.raw(text, values));
    const ids = (isJob: number): ReadonlySet<string> =>
      new Set(written.rows.filter(({ is_job }) => is_job === isJob).map(({ id }) => id));
    return { units: ids(0), added: ids(1), at: Math.max(0, ...written.rows.map(({ at }) => at)) };
  };
}

/** Each table has its rows in an array for each column. */
function unnested(columns: readonly (readonly [table: string, kinds: Readonly<Record<string, string>>])[]): string[] {
  let count = 0;
  return columns.map(([table, kinds]) => {
    const arrays = Object.values(kinds).map((kind) => `$${(count += 1)}::${kind}[]`);
    return `${table} as (select * from unnest(${arrays.join(", ")}) as ${table}(${Object.keys(kinds).join(", ")}))`;
  });
}

/**
 * Locks the units to change, and their jobs that are done or dropped: first all units, then all jobs, each in order, so that statements cannot
 * deadlock. `fit` are the units whose done jobs this process leases. The jobs are counted, so that all of them are read and locked.
 */
const lockedUnits = (unit: string, table: string, where: string): string[] => [
  `locked as materialized (
    select new.${unit} as unit from units as new join ${table} on ${where} order by new.${unit} for update of ${table})`,
  `leased as materialized (
    select new.unit, new.owner from locked
    join (select unit, id, owner, attempt from done union all select unit, id, null, null from dropped) as new
      on new.unit = locked.unit
    join job on job.id = new.id and (new.owner is null or ${isLeasedText}) order by job.id for update of job)`,
  `lost as (
    select unit from (select unit, 1 as jobs from done union all select unit, -1 from leased where owner is not null) as counted
    group by unit having sum(jobs) > 0)`,
  `fit as materialized (select unit from locked where unit not in (select unit from lost))`,
];
