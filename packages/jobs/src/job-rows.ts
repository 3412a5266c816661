import type { WriteRow } from "@crosszone/sql";
import type { HeldJob, JobEnd, NewJob } from "./job.ts";
import type { JobSchema } from "./job-schema.ts";
import { jobStates } from "./job-tables.ts";

const stateOf = { ready: jobStates.ready, leased: jobStates.leased, waiting: jobStates.waiting } as const;

/** Returns the row of a new job. */
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
    state: stateOf[job.as],
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

/** Returns the row of a job that ends. */
export function endRow<Own extends string>(
  { ended }: JobSchema<Own>,
  { id, attempt }: HeldJob,
  {
    owner,
    end,
    told = false,
  }: { readonly owner: string; readonly end: JobEnd<Own>; readonly told?: boolean | undefined },
): WriteRow<string> {
  const values: Readonly<Record<string, string | number | null | undefined>> = end.own ?? {};
  const row: Record<string, string | number | null> = {
    id,
    owner,
    attempt,
    outcome: end.outcome,
    output: end.output,
    told: Number(told),
  };
  for (const name of ended) row[name] = values[name] ?? null;
  return row;
}
