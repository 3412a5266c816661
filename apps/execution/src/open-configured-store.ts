import { randomUUID } from "node:crypto";
import { databaseUrlOf, vaultOf, type Vault } from "@crosszone/service-kit";
import { checkWritable } from "@crosszone/sql";
import type { ExecutionConfig } from "./config.ts";
import { openExecutionDatabase, type ExecutionDatabase } from "./database/open-execution-database.ts";
import type { ExecutionDeps } from "./deps.ts";
import { observeCommits } from "./observe-tasks.ts";
import { createSqlTaskStore } from "./tasks/sql/sql-task-store.ts";
import type { TaskStore } from "./tasks/task-store.ts";

export interface OpenStore {
  readonly store: TaskStore;
  readonly database: ExecutionDatabase;
  /** Undefined when no keys are configured. */
  readonly vault: Vault | undefined;
}

/** Opens this process's task store in the configured database. The store is ready while the database accepts writes. */
export async function openConfiguredStore(
  config: ExecutionConfig,
  { logger, health, metrics }: Pick<ExecutionDeps, "logger" | "health" | "metrics">,
): Promise<OpenStore> {
  const database = await openExecutionDatabase({
    url: databaseUrlOf(config, "execution"),
    connections: config.MAX_DATABASE_CONNECTIONS,
    onWait: (cause) => logger.warn("database_waited_for", { cause }),
    onIdleError: (cause) => logger.warn("database_connection_lost", { cause }),
  });
  health.addCheck("database", () => checkWritable(database));
  const vault = vaultOf(config);
  const store = createSqlTaskStore(database, {
    owner: randomUUID(),
    leaseMs: config.TASK_LEASE_MS,
    retentionMs: config.TASK_RETENTION,
    vault,
    onCommit: observeCommits(metrics),
  });
  return { store, database, vault };
}
