import { type ColumnKind, type Engine, nowText, type WriteRow } from "@crosszone/sql";
import { type JobEnd, type JobSchema, jobStates, type LeaseId, type NewJob } from "./job-tables.ts";

export function insertRow<Own extends string>(
  { own }: JobSchema<Own>,
  job: NewJob<Own>,
  owner: string,
): WriteRow<string> {
  const values: Readonly<Record<string, string | number | null | undefined>> = job.own ?? {};
  const row: Record<string, string | number | null> = {
    id: job.id,
    kind: job.kind,
    share: job.share,
    lane: job.lane ?? null,
    key: job.key ?? null,
    state: jobStates[job.as],
    owner: job.as === "leased" ? owner : null,
    attempt: job.as === "leased" ? 1 : 0,
    due_ms: Math.round(job.dueInMs ?? 0),
    deadline_ms: job.deadlineMs === undefined ? null : Math.round(job.deadlineMs),
    parent: job.parent ?? null,
    team: job.team ?? null,
    record: job.record,
    input: job.input ?? null,
  };
  for (const name of Object.keys(own)) row[name] = values[name] ?? null;
  return row;
}

export function endRow<Own extends string>(
  { ended }: JobSchema<Own>,
  { id, attempt }: LeaseId,
  {
    owner,
    end,
    notifies = false,
  }: { readonly owner: string; readonly end: JobEnd<Own>; readonly notifies?: boolean | undefined },
): WriteRow<string> {
  const values: Readonly<Record<string, string | number | null | undefined>> = end.own ?? {};
  const row: Record<string, string | number | null> = {
    id,
    owner,
    attempt,
    outcome: end.outcome,
    output: end.output,
    notifies: Number(notifies),
  };
  for (const name of ended) row[name] = values[name] ?? null;
  return row;
}

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

/** The columns that `isLeasedText` reads of a table expression named `new`. */
export const leaseColumns: Readonly<Record<"id" | "owner" | "attempt", ColumnKind>> = {
  id: "text",
  owner: "text",
  attempt: "bigint",
};

/**
 * The condition that the lease of a job has not expired: only its owner, in the same attempt, changes it. `+` keeps PostgreSQL
 * from reading all jobs of the owner from `job_owned` for each row, which it prefers to the id without statistics.
 */
export const isLeasedText: string = `job.id = new.id and job.owner = new.owner and job.attempt = new.attempt
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

/** Returns the part of a `set` clause that stores how jobs ended, from a table expression. */
export const resultText = <Own extends string>(schema: JobSchema<Own>, from: "new" | "excluded" = "new"): string =>
  [...["outcome", "output", ...schema.ended].map((name) => `${name} = ${from}.${name}`), emptiedText(schema)].join(
    ", ",
  );

/** Returns the `set` clause that ends jobs, from a table expression named `new`. */
export const endText = <Own extends string>(schema: JobSchema<Own>, engine: Engine): string =>
  `state = ${jobStates.ended}, ended_at = ${nowText[engine]}, ${resultText(schema)}`;

/** Returns the text that ends jobs of a table expression named `new`, whichever process leases them, without a result. */
export const dropText = <Own extends string>(schema: JobSchema<Own>, rows: string, engine: Engine): string => `
  update job set state = ${jobStates.ended}, ended_at = ${nowText[engine]}, owner = null, outcome = new.outcome, output = null,
    ${emptiedText(schema)} from ${rows} where job.id = new.id and job.state < ${jobStates.ended}`;

/** The names of the columns that `endText` reads, besides those of the lease. */
export function endColumns<Own extends string>({ own, ended }: JobSchema<Own>): Record<string, ColumnKind> {
  return { outcome: "text", output: "text", ...Object.fromEntries(ended.map((name) => [name, own[name]])) };
}
