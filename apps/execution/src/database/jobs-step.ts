import { createExecutionJobTables, dropJobTables } from "@crosszone/jobs";
import type { Engine, MigrationStep } from "@crosszone/sql";
import type { Kysely } from "kysely";
import {
  agentCallEndsStep,
  agentCallFilesStep,
  agentCallsStep,
  agentCallWaysStep,
} from "./before-jobs/agent-call-table.ts";
import { agentWaitParentsStep, agentWaitsStep } from "./before-jobs/agent-wait-table.ts";
import { createBusTables } from "./before-jobs/bus-tables.ts";
import { jobsFromTables } from "./before-jobs/jobs-from-tables.ts";
import { admitOlderBuilds, refuseOlderBuilds } from "./before-jobs/refuse-older-builds.ts";
import { tablesFromJobs } from "./before-jobs/tables-from-jobs.ts";
import { taskSearchStep, tasksStep } from "./before-jobs/task-table.ts";
import { createLeftMessageTable } from "./left-message-table.ts";

const replaced = ["agent_wait", "bus_message", "bus_outbox", "agent_call"];

/**
 * Moves tasks, calls of agents and the messages between them into the table of jobs. What older processes still run is
 * taken over when their leases end; these processes can't store anything any more, and refuse new tasks.
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
