import { createExecutionJobTables, dropJobTables } from "@crosszone/jobs";
import type { Engine, MigrationStep } from "@crosszone/sql";
import { type Kysely, sql } from "kysely";
import {
  agentCallEndsStep,
  agentCallFilesStep,
  agentCallsStep,
  agentCallWaysStep,
} from "./before-jobs/agent-call-table.ts";
import { agentWaitParentsStep, agentWaitsStep } from "./before-jobs/agent-wait-table.ts";
import { createBusTables } from "./before-jobs/bus-tables.ts";
import { jobsFromTables } from "./before-jobs/jobs-from-tables.ts";
import { tablesFromJobs } from "./before-jobs/tables-from-jobs.ts";
import { taskSearchStep, tasksStep } from "./before-jobs/task-table.ts";
import { createLeftMessageTable } from "./left-message-table.ts";

/**
 * Leaves an empty, read-only table `task` on PostgreSQL. Running processes of the previous version treat its error as an outage. They
 * answer `agent_unavailable`, so callers retry until they reach a process of this version.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html: cannot_connect_now
 */
async function refuseOlderBuilds(db: Kysely<never>): Promise<void> {
  await sql`delete from task`.execute(db);
  await sql`
    create function refuse_older_build() returns trigger language plpgsql as $$
    begin
      raise exception 'a newer version of this program changed the database: replace this process'
        using errcode = '57P03';
    end $$`.execute(db);
  await sql`
    create trigger refuse_older_build before insert or update or delete on task
    for each statement execute function refuse_older_build()`.execute(db);
}

/** Removes that table. */
async function admitOlderBuilds(db: Kysely<never>): Promise<void> {
  await db.schema.dropTable("task").execute();
  await sql`drop function refuse_older_build()`.execute(db);
}

const replaced = ["agent_wait", "bus_message", "bus_outbox", "agent_call"];

/**
 * Moves tasks, calls of agents and the messages between them into the table of jobs. Tasks of older processes are taken over when their
 * leases expire. Those processes can no longer store anything, and refuse new tasks.
 */
export const jobsStep: MigrationStep = {
  up: async (db, engine) => {
    await createExecutionJobTables(db, engine);
    await createLeftMessageTable(db, engine);
    await jobsFromTables(db);
    for (const name of replaced) await db.schema.dropTable(name).execute();
    // On SQLite, a zone is one process, which has stopped by now.
    if (engine === "postgres") await refuseOlderBuilds(db);
    else await db.schema.dropTable("task").execute();
  },
  down: async (db, engine) => {
    if (engine === "postgres") await admitOlderBuilds(db);
    await createReplaced(db, engine);
    await tablesFromJobs(db);
    await db.schema.dropTable("left_message").execute();
    await dropJobTables(db);
  },
};

async function createReplaced(db: Kysely<never>, engine: Engine): Promise<void> {
  const steps = [
    tasksStep,
    agentCallsStep,
    agentWaitsStep,
    agentCallFilesStep,
    taskSearchStep,
    agentCallEndsStep,
    agentWaitParentsStep,
    agentCallWaysStep,
  ];
  for (const { up } of steps) await up(db, engine);
  await createBusTables(db, engine);
}
