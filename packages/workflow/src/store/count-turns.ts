import { now, type Database } from "@crosszone/sql";
import { sql } from "kysely";
import type { WorkflowTables } from "./workflow-tables.ts";

/** Names a turn of a run. */
export interface TurnKey {
  readonly run_id: string;
  readonly cause: string;
}

/** Counts how often a turn was begun and did not come to an end. */
export interface TurnCount {
  /** Gives how often it was begun, this time included; nothing when another process began it just now, or the run is gone. */
  readonly begin: (turn: TurnKey) => Promise<number | undefined>;
  /** It came to an end, good or bad: the process lives. */
  readonly end: (turn: TurnKey) => Promise<void>;
}

/** `aloneMs`: for so long after one process began a turn no other does. */
export function createTurnCount({ db, engine }: Database<WorkflowTables>, aloneMs: number): TurnCount {
  return {
    begin: async ({ run_id, cause }) => {
      const { rows } = await sql<{ attempts: number }>`
        insert into workflow_turn (run_id, cause, attempts, begun_at)
        select run_id, ${cause}, 1, ${now(engine)} from workflow_run where run_id = ${run_id}
        on conflict (run_id, cause) do update set attempts = workflow_turn.attempts + 1, begun_at = excluded.begun_at
        where workflow_turn.begun_at <= excluded.begun_at - ${aloneMs}
        returning attempts`.execute(db);
      return rows[0]?.attempts;
    },
    end: async ({ run_id, cause }) => {
      await db.deleteFrom("workflow_turn").where("run_id", "=", run_id).where("cause", "=", cause).execute();
    },
  };
}
