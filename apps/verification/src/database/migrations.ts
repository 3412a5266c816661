import type { Migrations } from "@crosszone/sql";
import {
  handlesStep,
  inboxOrderStep,
  inboxStep,
  installationsStep,
  messagesStep,
  spentStatesStep,
  streamPaceStep,
  threadAgentsStep,
} from "./first-steps.ts";
import { jobsStep } from "./jobs-step.ts";

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
  "0009_add_messages": messagesStep,
};
