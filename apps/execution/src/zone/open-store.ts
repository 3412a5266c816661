import { type AgentClient, createAdapters } from "@crosszone/agent-bridge";
import { agentErrorTable, errorTable, zoneMethods } from "@crosszone/contracts";
import { busLabels } from "@crosszone/kafka-gateway";
import { openDataKeys } from "@crosszone/ops/data";
import {
  badRequestStatuses,
  createEmit,
  databaseUrlOf,
  type Emit,
  type Environment,
  type Health,
  type Logger,
  type Metrics,
  type Vault,
  vaultOf,
} from "@crosszone/service-kit";
import type { Settings } from "@crosszone/service-kit/settings";
import { createDatabaseCheck, type SealedTable } from "@crosszone/sql";
import { type ExecutionEvent, executionEvents } from "@crosszone/telemetry";
import { createSqlConversations } from "../agents/conversations.ts";
import { refusalReasons } from "../doors/serve-route.ts";
import {
  type ExecutionDatabase,
  measureCommits,
  measureRunning,
  openExecutionDatabase,
  openJobs,
  type ZoneJobs,
} from "../store/open-execution-database.ts";
import { TaskStore } from "../tasks/store/task-store.ts";
import type { ExecutionConfig } from "./config/variables.ts";
import type { ExecutionSettings } from "./config/sections.ts";

/** Makes the function that logs and measures the zone's events. Other names of agents come from outside, and count as `other`. */
export function createZoneEmit(
  { logger, metrics }: { readonly logger: Logger<ExecutionEvent>; readonly metrics: Metrics },
  agentNames: ReadonlySet<string> = new Set(),
): Emit<ExecutionEvent> {
  const sets = {
    agent: (name: string) => agentNames.has(name),
    agent_error_kind: Object.keys(agentErrorTable),
    bus_channel: busLabels.channel,
    bus_group: busLabels.group,
    error_kind: Object.keys(errorTable),
    http_refusal: [...refusalReasons, ...badRequestStatuses.map((status) => `http_${status}`)],
    protocol: createAdapters().supported,
    zone_method: Object.keys(zoneMethods),
  };
  return createEmit({ logger, events: executionEvents, measured: { registry: metrics.registry, sets } });
}

/** What is sealed, and how readiness is served while the process must not work. */
export interface KeysToCompare {
  readonly tables: readonly SealedTable[];
  /** Resolves with a function that ends that. */
  readonly hold: (served: { readonly health: Health; readonly metrics: Metrics }) => Promise<() => Promise<unknown>>;
}

/**
 * Opens this process's task store in the configured database, and begins the lease of its jobs. The store is ready while the database
 * accepts writes.
 */
export async function openStore(
  config: ExecutionConfig,
  {
    emit,
    health,
    metrics,
    keys,
    databaseUrlFile,
  }: {
    readonly emit: Emit<ExecutionEvent>;
    readonly health: Health;
    readonly metrics: Metrics;
    readonly keys?: KeysToCompare | undefined;
    readonly databaseUrlFile?: string | undefined;
  },
) {
  const database = await openExecutionDatabase({
    url: databaseUrlOf(config, "execution"),
    urlFile: databaseUrlFile,
    connections: config.MAX_DATABASE_CONNECTIONS,
    onWait: (cause) => emit("database_waited_for", { cause }),
    onIdleError: (cause) => emit("database_connection_lost", { cause }),
    onListenError: (cause) => emit("database_notifications_missing", { cause }),
  });
  health.addCheck(
    "database",
    createDatabaseCheck(database, (reason) => emit("database_not_usable", { reason })),
  );
  const stopKeys = await openDataKeys({
    database,
    DATA_KEYS: config.DATA_KEYS,
    tables: keys?.tables ?? [],
    health,
    emit,
    hold: keys && (() => keys.hold({ health, metrics })),
  });
  const vault = vaultOf(config);
  const jobs = openJobs(database, { leaseMs: config.TASK_LEASE_MS, emit, onCommit: measureCommits(metrics.registry) });
  measureRunning(metrics.registry, jobs);
  const conversations = createSqlConversations(database, { vault, retentionMs: config.THREAD_RETENTION });
  const retentionMs = config.TASK_RETENTION;
  const store = new TaskStore({ database, jobs: jobs.store, conversations, retentionMs, vault });
  await jobs.start();
  const close = async (): Promise<void> => {
    await stopKeys();
    await database.close();
  };
  return { store, jobs, database: { ...database, close }, vault };
}

/** What the roles of a process share. Each takes its own part of it. */
export interface RoleParts {
  readonly config: ExecutionConfig;
  /** Contains the secrets of agents and MCP servers, and the variables of MCP programs. */
  readonly environment: Environment;
  readonly database: ExecutionDatabase;
  readonly jobs: ZoneJobs;
  readonly vault?: Vault;
  readonly metrics: Metrics;
  readonly health: Health;
  readonly emit: Emit<ExecutionEvent>;
  /** The file of EXECUTION_FILE: the sections that this process uses. */
  readonly settings: Pick<Settings<ExecutionSettings>, "follow">;
  /** Receives the names of the agents that are found: only they are labels of metrics. */
  readonly agentNames?: Set<string>;
  /** Calls registered agents; over HTTP when absent. */
  readonly agentClient?: AgentClient;
}
