import { nowText, type ColumnKind, type Engine } from "@crosszone/sql";
import { telling } from "./job-channel.ts";
import type { JobSchema } from "./job-schema.ts";
import { jobStates } from "./job-tables.ts";

const inserted = {
  id: "text",
  kind: "text",
  share: "text",
  lane: "text",
  key: "text",
  state: "bigint",
  owner: "text",
  attempt: "bigint",
  due_ms: "bigint",
  deadline_ms: "bigint",
  parent: "text",
  team: "text",
  record: "text",
  input: "text",
} as const satisfies Record<string, ColumnKind>;

/** The columns that `isHeldText` reads of a table expression named `new`. */
export const heldColumns: Readonly<Record<"id" | "owner" | "attempt", ColumnKind>> = {
  id: "text",
  owner: "text",
  attempt: "bigint",
};

/**
 * The condition that the lease of a job still holds: only its owner, in the same attempt, changes it. `+` keeps PostgreSQL
 * from reading all jobs of the owner from `job_owned` for each row, which it prefers to the id without statistics.
 */
export const isHeldText: string = `job.id = new.id and job.owner = new.owner and job.attempt = new.attempt
  and +job.state = ${jobStates.leased}`;

/** The names of the columns that `insertText` reads. */
export const insertColumns = <Own extends string>({ own }: JobSchema<Own>): Record<string, ColumnKind> => ({
  ...inserted,
  ...own,
});

/** Returns the text that inserts jobs from a table expression named `new` with the columns of `insertColumns`. */
export const insertText = <Own extends string>(schema: JobSchema<Own>, rows: string, engine: Engine): string =>
  insertOrText(schema, rows, { engine, onConflict: "do nothing" });

/** Returns such a text with an `on conflict` clause. */
export function insertOrText<Own extends string>(
  { own }: JobSchema<Own>,
  rows: string,
  { engine, onConflict }: { readonly engine: Engine; readonly onConflict: string },
): string {
  const now = nowText[engine];
  const same = [...Object.keys(inserted).filter((name) => !name.endsWith("_ms")), ...Object.keys(own)].join(", ");
  return `insert into job (${same}, due_at, created_at, deadline_at)
    select ${same}, ${now} + due_ms, ${now}, ${now} + deadline_ms from ${rows} where true on conflict ${onConflict}`;
}

/** Returns the part of a `set` clause that empties what an ended job no longer needs. */
export const emptiedText = <Own extends string>({ cleared }: JobSchema<Own>): string =>
  ["input", ...cleared].map((name) => `${name} = null`).join(", ");

/** Returns the part of a `set` clause that stores how jobs ended, from a table expression named `new`. */
export const resultText = <Own extends string>(schema: JobSchema<Own>): string =>
  [...["outcome", "output", ...schema.ended].map((name) => `${name} = new.${name}`), emptiedText(schema)].join(", ");

/** Returns the `set` clause that ends jobs, from a table expression named `new`. */
export const endText = <Own extends string>(schema: JobSchema<Own>, engine: Engine): string =>
  `state = ${jobStates.ended}, ended_at = ${nowText[engine]}, ${resultText(schema)}`;

/** The names of the columns that `endText` reads, besides those of the lease. */
export function endColumns<Own extends string>({ own, ended }: JobSchema<Own>): Record<string, ColumnKind> {
  return { outcome: "text", output: "text", ...Object.fromEntries(ended.map((name) => [name, own[name]])) };
}

/** Returns the text that inserts jobs and, on PostgreSQL, tells other processes of those that they may take. */
export function insertTellingText<Own extends string>(schema: JobSchema<Own>, rows: string, engine: Engine): string {
  const text = insertText(schema, rows, engine);
  if (engine === "sqlite") return text;
  return telling(`${text} returning id, share, state`, { payload: "share", where: `state = ${jobStates.ready}` });
}
