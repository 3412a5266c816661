import { observeJobs } from "@crosszone/jobs";
import { databaseUrlOf, vaultOf, type Health, type Vault } from "@crosszone/service-kit";
import { checkWritable } from "@crosszone/sql";
import { createSqlConversations } from "../agents/conversations.ts";
import type { ExecutionConfig } from "../config/config.ts";
import { openExecutionDatabase, type ExecutionDatabase } from "../database/open-execution-database.ts";
import type { Telemetry } from "../observers/telemetry.ts";
import { openJobs, type ZoneJobs } from "../database/open-jobs.ts";
import { createSqlTaskStore } from "../tasks/sql/sql-task-store.ts";
import type { TaskStore } from "../tasks/task-store.ts";

export interface OpenStore {
  readonly store: TaskStore;
  /** The process's lease has begun. */
  readonly jobs: ZoneJobs;
  readonly database: ExecutionDatabase;
  /** Undefined when no keys are configured. */
  readonly vault: Vault | undefined;
}

/** Opens this process's task store in the configured database. The store is ready while the database accepts writes. */
export async function openStore(
  config: ExecutionConfig,
  { logger, health, metrics }: Telemetry & { readonly health: Health },
): Promise<OpenStore> {
  const database = await openExecutionDatabase({
    url: databaseUrlOf(config, "execution"),
    connections: config.MAX_DATABASE_CONNECTIONS,
    onWait: (cause) => logger.warn("database_waited_for", { cause }),
    onIdleError: (cause) => logger.warn("database_connection_lost", { cause }),
    onListenError: (cause) => logger.warn("database_notifications_missing", { cause }),
  });
  health.addCheck("database", () => checkWritable(database));
  const vault = vaultOf(config);
  const jobs = openJobs(database, { leaseMs: config.TASK_LEASE_MS, observer: observeJobs(metrics.registry) });
  const { store: jobStore, endTogether } = jobs;
  const conversations = createSqlConversations(database, { vault, retentionMs: config.THREAD_RETENTION });
  const retentionMs = config.TASK_RETENTION;
  const store = createSqlTaskStore({ database, jobs: jobStore, endTogether, conversations, retentionMs, vault });
  await jobs.start();
  return { store, jobs, database, vault };
}
