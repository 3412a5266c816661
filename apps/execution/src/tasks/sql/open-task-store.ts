import type { Vault } from "@crosszone/service-kit";
import { createSqlConversations } from "../../agents/conversations.ts";
import {
  type ExecutionDatabase,
  openExecutionDatabase,
  openJobs,
  type OpenJobsOptions,
  type ZoneJobs,
} from "../../database/open-execution-database.ts";
import { TaskStore } from "./task-store.ts";

export interface OpenTaskStoreOptions extends Pick<OpenJobsOptions, "onCommit" | "group" | "emit"> {
  /** As for `openDatabase`; in memory when absent. */
  readonly url?: string;
  readonly leaseMs?: number;
  readonly retentionMs?: number;
  readonly vault?: Vault;
}

export interface OpenedTaskStore {
  readonly store: TaskStore;
  /** The process's lease has begun, and ends when the database is closed. */
  readonly jobs: ZoneJobs;
  readonly database: ExecutionDatabase;
}

/** Opens a task store on its own database with default settings, for tests and for tools that store nothing. */
export async function openTaskStore(options: OpenTaskStoreOptions = {}): Promise<OpenedTaskStore> {
  const { url = "sqlite::memory:", leaseMs = 10_000, retentionMs = 86_400_000, vault, ...writes } = options;
  const database = await openExecutionDatabase({ url });
  const jobs = openJobs(database, { leaseMs, ...writes });
  await jobs.start();
  const conversations = createSqlConversations(database, { vault, retentionMs });
  const store = new TaskStore({ database, jobs: jobs.store, conversations, retentionMs, vault });
  const close = async (): Promise<void> => {
    await jobs.stop();
    await database.close();
  };
  return { store, jobs, database: { ...database, close } };
}
