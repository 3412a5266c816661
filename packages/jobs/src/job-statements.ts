import { nowText, writeStatement, type ColumnKind, type Engine, type WriteStatement } from "@crosszone/sql";
import { endedPrefix, telling } from "./job-channel.ts";
import type { JobSchema } from "./job-schema.ts";
import { jobStates } from "./job-tables.ts";
import {
  endColumns,
  endText,
  heldColumns,
  insertColumns,
  insertTellingText,
  insertText,
  isHeldText,
} from "./job-texts.ts";

/** Statements that write many jobs at once. */
export interface JobStatements {
  /** For jobs that are not to be taken by other processes. */
  readonly insert: WriteStatement<string>;
  /** Tells other processes of jobs to take. */
  readonly insertReady: WriteStatement<string>;
  readonly end: WriteStatement<string>;
  /** Tells other processes of the ends that they wait for. */
  readonly endTold: WriteStatement<string>;
  readonly release: WriteStatement<string>;
  /** Sets own columns of held jobs. */
  readonly set: (columns: readonly string[]) => WriteStatement<string>;
}

export function jobStatements<Own extends string>(schema: JobSchema<Own>, engine: Engine): JobStatements {
  const { own } = schema;
  const update = (
    columns: Record<string, ColumnKind>,
    set: string,
    told?: { readonly returning: string; readonly payload: string; readonly where: string },
  ): WriteStatement<string> => {
    const text = (rows: string): string => `update job set ${set} from ${rows} where ${isHeldText}`;
    const tells = told && {
      postgresText: (rows: string) => telling(`${text(rows)} returning ${told.returning}`, told),
    };
    return writeStatement<string>({ table: "job", key: "id", columns: { ...heldColumns, ...columns }, text, ...tells });
  };
  const insert = {
    table: "job",
    key: "id",
    columns: insertColumns(schema),
    text: (rows: string) => insertText(schema, rows, engine),
  } as const;
  const release = `state = ${jobStates.ready}, owner = null, attempt = job.attempt - 1 + new.counted,
    due_at = ${nowText[engine]} + new.after_ms`;
  return {
    insert: writeStatement<string>(insert),
    insertReady: writeStatement<string>({
      ...insert,
      postgresText: (rows) => insertTellingText(schema, rows, "postgres"),
    }),
    end: update(endColumns(schema), endText(schema, engine)),
    endTold: update({ ...endColumns(schema), told: "bigint" }, endText(schema, engine), {
      returning: "job.id, new.told",
      payload: `'${endedPrefix}' || id`,
      where: "told = 1",
    }),
    release: update({ after_ms: "bigint", counted: "bigint" }, release, {
      returning: "job.id, job.share, new.after_ms",
      payload: "share",
      where: "after_ms = 0",
    }),
    set: (columns) => {
      const kinds = Object.fromEntries(columns.map((column) => [column, own[column as Own]]));
      return update(kinds, columns.map((column) => `${column} = new.${column}`).join(", "));
    },
  };
}
