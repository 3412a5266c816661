import type { Migrations } from "@crosszone/sql";
import { handlesStep } from "./handles-table.ts";
import { inboxOrderStep } from "./inbox-order-step.ts";
import { jobsStep } from "./jobs-step.ts";
import { inboxStep, threadAgentsStep } from "./inbox-table.ts";
import { installationsStep } from "./installations-table.ts";
import { streamPaceStep } from "./stream-pace-table.ts";
import { spentStatesStep } from "./spent-states-table.ts";

/**
 * The zone's schema migrations, in order. Never change a released step; correct it in a later one. Name a step that only adds
 * `0000_add_…`: older builds work with it.
 */
export const verificationMigrations: Migrations = {
  "0001_handles": handlesStep,
  "0002_inbox": inboxStep,
  "0003_installations": installationsStep,
  "0004_spent_states": spentStatesStep,
  "0005_thread_agents": threadAgentsStep,
  "0006_inbox_order": inboxOrderStep,
  "0007_stream_pace": streamPaceStep,
  "0008_jobs": jobsStep,
};
