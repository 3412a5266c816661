import { jobStates } from "@crosszone/jobs";
import { sql } from "kysely";
import type { VerificationDatabase } from "../database/open-verification-database.ts";
import { channelOf, laneOf } from "./digests.ts";
import type { StopTarget } from "./inbox.ts";

/**
 * Marks the open questions of the target for a stop record. A question that was accepted after it is not stopped, however late the stop is
 * processed. Resolves with the number of questions that it has marked, including earlier calls.
 */
export async function stopQuestions(
  { db }: Pick<VerificationDatabase, "db">,
  target: StopTarget,
  stopId: string,
): Promise<number> {
  const { thread_ts } = target;
  const inThread = thread_ts === undefined ? sql`` : sql`and lane = ${laneOf("ask", { ...target, thread_ts })}`;
  const { numAffectedRows = 0n } = await sql`
    update job set stopped_by = ${stopId}
    where channel = ${channelOf(target)} ${inThread} and kind = 'ask' and state <> ${sql.lit(jobStates.parked)}
      and (stopped_by is null or stopped_by = ${stopId})
      and not exists (select 1 from job as stop where stop.id = ${stopId} and stop.sequence < job.sequence)`.execute(
    db,
  );
  return Number(numAffectedRows);
}
