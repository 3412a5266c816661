import { now, type Database } from "@crosszone/sql";
import { sql } from "kysely";
import type { WorkflowTables } from "./workflow-tables.ts";

/** Identifies a turn of a run. */
export interface TurnKey {
  readonly run_id: string;
  readonly cause: string;
}

/** Counts how often a turn was begun without ending. */
export interface TurnCount {
  /** Returns how often the turn was started, including this time; undefined when another process just started it or the run was deleted. */
  readonly begin: (turn: TurnKey) => Promise<number | undefined>;
  /** Deletes the count: the turn ended without crashing the process. */
  readonly end: (turn: TurnKey) => Promise<void>;
}

/** After one process begins a turn, no other process can begin it for `aloneMs` milliseconds. */
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
