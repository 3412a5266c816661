import { randomUUID } from "node:crypto";
import { openExecutionDatabase, type ExecutionDatabase } from "../../database/open-execution-database.ts";
import type { TaskStore } from "../task-store.ts";
import { createSqlTaskStore, type SqlTaskStoreOptions } from "./sql-task-store.ts";

export interface OpenTaskStoreOptions extends Partial<SqlTaskStoreOptions> {
  /** As for `openDatabase`; in memory when absent. */
  readonly url?: string;
}

/** Opens a task store on its own database with default settings, for tests and for tools that store nothing. */
export async function openTaskStore({ url = "sqlite::memory:", ...options }: OpenTaskStoreOptions = {}): Promise<{
  readonly store: TaskStore;
  readonly database: ExecutionDatabase;
}> {
  const database = await openExecutionDatabase({ url });
  const defaults = { owner: randomUUID(), leaseMs: 10_000, retentionMs: 86_400_000 };
  return { database, store: createSqlTaskStore(database, { ...defaults, ...options }) };
}
