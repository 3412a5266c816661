import { type ColumnKind, type Engine, nowText, writeStatement, type WriteStatement } from "@crosszone/sql";
import { endedPrefix, notifying } from "../table/job-events.ts";
import { type JobSchema, jobStates } from "../table/job-tables.ts";
import {
  endColumns,
  endText,
  leaseColumns,
  insertColumns,
  insertNotifyingText,
  insertText,
  isLeasedText,
} from "../table/job-texts.ts";
import { atFront } from "./lane-statements.ts";

/** Statements that write many jobs at once. */
export interface JobStatements {
  /** For jobs that other processes cannot take. */
  readonly insert: WriteStatement<string>;
  /** Notifies other processes of jobs to take. */
  readonly insertReady: WriteStatement<string>;
  readonly end: WriteStatement<string>;
  /** Notifies other processes of the ends that they wait for. */
  readonly endNotifying: WriteStatement<string>;
  readonly release: WriteStatement<string>;
  /** Sets own columns of leased jobs. */
  readonly set: (columns: readonly string[]) => WriteStatement<string>;
}

export function jobStatements<Own extends string>(schema: JobSchema<Own>, engine: Engine): JobStatements {
  const { own } = schema;
  const update = (
    columns: Record<string, ColumnKind>,
    set: string,
    notified?: { readonly returning: string; readonly payload: string; readonly where: string },
  ): WriteStatement<string> => {
    const text = (rows: string): string => `update job set ${set} from ${rows} where ${isLeasedText}`;
    const notifies = notified && {
      postgresText: (rows: string) => notifying(`${text(rows)} returning ${notified.returning}`, notified),
    };
    return writeStatement<string>({
      table: "job",
      key: "id",
      columns: { ...leaseColumns, ...columns },
      text,
      ...notifies,
    });
  };
  const insert = {
    table: "job",
    key: "id",
    columns: insertColumns(schema),
    text: (rows: string) => insertText(schema, rows, engine),
  } as const;
  return {
    insert: writeStatement<string>(insert),
    insertReady: writeStatement<string>({
      ...insert,
      postgresText: (rows) => insertNotifyingText(schema, rows, "postgres"),
    }),
    end: update(endColumns(schema), endText(schema, engine)),
    endNotifying: update({ ...endColumns(schema), notifies: "bigint" }, endText(schema, engine), {
      returning: "job.id, new.notifies",
      payload: `'${endedPrefix}' || id`,
      where: "notifies = 1",
    }),
    release: update({ after_ms: "bigint", counted: "bigint" }, releaseText(schema, engine), {
      returning: "job.id, job.share, new.after_ms",
      payload: schema.uncounted === undefined ? "share" : atFront,
      where: "after_ms = 0",
    }),
    set: (columns) => {
      const kinds = Object.fromEntries(columns.map((column) => [column, own[column as Own]]));
      return update(kinds, columns.map((column) => `${column} = new.${column}`).join(", "));
    },
  };
}

/**
 * Returns the `set` clause that makes leased jobs ready. In lanes they stay heads: those that are due at once keep their place before jobs
 * that came later.
 */
function releaseText<Own extends string>({ uncounted }: JobSchema<Own>, engine: Engine): string {
  const ready = `state = ${jobStates.ready}, owner = null`;
  const later = `${nowText[engine]} + new.after_ms`;
  if (uncounted === undefined) return `${ready}, attempt = job.attempt - 1 + new.counted, due_at = ${later}`;
  return `${ready}, ${uncounted} = job.${uncounted} + 1 - new.counted,
    due_at = case when new.after_ms = 0 then job.created_at else ${later} end`;
}
