import { jobStates, type LaneGuard } from "@crosszone/jobs";
import { type Engine, now } from "@crosszone/sql";
import { sql } from "kysely";
import type { VerificationDatabase } from "../database.ts";
import { waitingKinds } from "./records.ts";

/** Records that wait for people do not count. */
const counted = `kind not in (${waitingKinds.map((kind) => `'${kind}'`).join(", ")})`;

/**
 * Returns the guard that refuses records with an existing claim, and all records while `most` are open. The count stops at `most` and reads
 * only records that are not parked, so it is cheap while few are open.
 */
export function recordGuard(engine: Engine, most: number): LaneGuard {
  const claims =
    engine === "sqlite"
      ? "in (select value from json_each(new.claims))"
      : "= any(array(select jsonb_array_elements_text(new.claims::jsonb)))";
  const open = [0, 1, 2].map((state) => `select 1 from job where state = ${state} and ${counted}`).join(" union all ");
  const isFull = `exists (select 1 from (${open}) as open limit 1 offset ${most - 1})`;
  return { columns: { claims: "text" }, refused: `exists (select 1 from claim where digest ${claims}) or ${isFull}` };
}

/** The size of the inbox. */
export interface InboxLoad {
  /** Records that wait for a worker. */
  readonly waiting: number;
  readonly inWork: number;
  /** Records that failed too often and need an operator. */
  readonly parked: number;
  /** Age of the oldest record that is not parked, milliseconds; 0 if there is none. */
  readonly oldestMs: number;
}

/** Reads the size of the inbox, in one statement that scans it. */
export async function readLoad({ db, engine }: VerificationDatabase): Promise<InboxLoad> {
  const rows = await db
    .selectFrom("job")
    .select((row) => [
      "state",
      row.fn.countAll<number>().as("count"),
      sql<number>`${now(engine)} - min(created_at)`.as("ageMs"),
    ])
    .where(sql<boolean>`${sql.raw(counted)}`)
    .groupBy("state")
    .execute();
  const { ready, behind, leased, parked } = jobStates;
  const of = (state: (typeof rows)[number]["state"]) => rows.find((row) => row.state === state);
  const open = [ready, behind, leased].map(of);
  return {
    waiting: (of(ready)?.count ?? 0) + (of(behind)?.count ?? 0),
    inWork: of(leased)?.count ?? 0,
    parked: of(parked)?.count ?? 0,
    oldestMs: Math.max(0, ...open.map((row) => row?.ageMs ?? 0)),
  };
}
