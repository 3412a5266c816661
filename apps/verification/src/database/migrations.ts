import type { Migrations } from "@crosszone/sql";
import { handlesStep } from "../handles/handles-table.ts";
import { inboxOrderStep } from "../inbox/inbox-order-step.ts";
import { jobsStep } from "../inbox/jobs-step.ts";
import { inboxStep, threadAgentsStep } from "../inbox/inbox-table.ts";
import { installationsStep } from "../installations/installations-table.ts";
import { streamPaceStep } from "../streams/stream-pace-table.ts";
import { spentStatesStep } from "../installations/spent-states-table.ts";

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
