import type { MigrationStep } from "@crosszone/sql";
import { sql } from "kysely";

/**
 * Keeps room in PostgreSQL's pages for the next version of their rows, so that the change of a run or a step updates no index.
 * https://www.postgresql.org/docs/current/storage-hot.html
 */
export const workflowWritesStep: MigrationStep = {
  up: async (db, engine) => {
    if (engine === "sqlite") return;
    await sql`alter table workflow_run set (fillfactor = 60)`.execute(db);
    await sql`alter table workflow_step set (fillfactor = 80)`.execute(db);
  },
  down: async (db, engine) => {
    if (engine === "sqlite") return;
    await sql`alter table workflow_step reset (fillfactor)`.execute(db);
    await sql`alter table workflow_run reset (fillfactor)`.execute(db);
  },
};
