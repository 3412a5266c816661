import { type Engine, nowText, notifyText } from "@crosszone/sql";
import { CompiledQuery, type RawBuilder, sql } from "kysely";
import { jobChannel } from "../table/job-events.ts";
import { type JobSchema, jobStates } from "../table/job-tables.ts";
import { insertRow } from "../table/job-texts.ts";
import type { NewJob } from "../table/job.ts";
import { jobStatements } from "./job-statements.ts";

/** Queries about jobs that belong to the transaction of what they are for. */
export interface JobQueries<Own extends string> {
  /** Stores a job that is not leased. A job that exists stays as it is. */
  readonly add: (job: NewJob<Own>) => CompiledQuery;
  /**
   * Makes sleeping jobs due now. A job that is leased is due at once when it is released next, so that it sees what changed before. Others are
   * left alone. `ids` can't be empty.
   */
  readonly wake: (ids: readonly string[]) => RawBuilder<unknown>;
}

export function createJobQueries<Own extends string>(schema: JobSchema<Own>, engine: Engine): JobQueries<Own> {
  const { insertReady } = jobStatements(schema, engine);
  return {
    add: (job) => {
      const row = insertRow(schema, job, "");
      const values = insertReady.columns.map((column) => row[column] ?? null);
      if (engine === "sqlite") return CompiledQuery.raw(insertReady.sqlite, values);
      const arrays = values.map((value) => [value]);
      return CompiledQuery.raw(insertReady.postgres.text, arrays);
    },
    wake: (ids) => wakeJobs(engine, ids),
  };
}

const { ready, leased } = jobStates;

function wakeJobs(engine: Engine, ids: readonly string[]): RawBuilder<unknown> {
  const time = sql.raw(nowText[engine]);
  const isLeased = sql`state = ${sql.lit(leased)}`;
  const isSleeping = sql`state = ${sql.lit(ready)} and due_at > ${time}`;
  return sql`
    update job set woken = case when ${isLeased} then 1 else woken end, due_at = case when ${isSleeping} then ${time} else due_at end
    where id in (${sql.join(ids)}) and (${isLeased} or ${isSleeping})
    returning id, ${sql.raw(notifyText(engine, jobChannel, "share"))} as notified`;
}
