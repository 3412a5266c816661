import { createEmbeddedBus, type MessageBus } from "@crosszone/bus";
import type { Vault } from "@crosszone/service-kit";
import type { Database } from "@crosszone/sql";
import { createWorkflows } from "../runner/create-workflows.ts";
import type { WorkflowLimits } from "../runner/workflow-limits.ts";
import type { WorkflowObserver } from "../runner/workflow-observer.ts";
import type { Workflows } from "../runner/workflows.ts";
import { openWorkflowDatabase, type ExecutorTables } from "./open-workflow-database.ts";

const executorGroups = {
  agent_tasks: ["agent-bridge"],
  agent_cancellations: ["agent-bridge"],
  agent_results: ["workflow"],
} as const;

export interface ExecutorOptions {
  readonly limits?: Partial<WorkflowLimits>;
  readonly vault?: Vault;
  readonly agentNames?: () => Promise<Iterable<string>>;
  /** Wraps the bus, to lose or refuse messages. */
  readonly busOf?: (bus: MessageBus) => MessageBus;
  /** Wraps the database, to lose transactions. */
  readonly databaseOf?: (database: Database<ExecutorTables>) => Database<ExecutorTables>;
}

/** An executor in this process. */
export interface Executor {
  readonly database: Database<ExecutorTables>;
  readonly bus: MessageBus;
  readonly workflows: Workflows;
  /** The calls of the observer, by name. */
  readonly told: readonly (readonly [name: keyof WorkflowObserver, ...told: readonly unknown[]])[];
  readonly close: () => Promise<void>;
}

export async function newExecutor(url: string, options: ExecutorOptions = {}): Promise<Executor> {
  const { limits, vault, agentNames, busOf = (bus) => bus, databaseOf = (database) => database } = options;
  const database = databaseOf(await openWorkflowDatabase(url));
  const redelivery = { firstMs: 10, longestMs: 50, mostAttempts: 5 };
  const bus = busOf(createEmbeddedBus({ database, groups: executorGroups, redelivery, leaseMs: 1_500 }));
  const told: [keyof WorkflowObserver, ...unknown[]][] = [];
  const tell =
    (name: keyof WorkflowObserver) =>
    (...what: readonly unknown[]): void =>
      void told.push([name, ...what]);
  const workflows = createWorkflows({
    bus,
    database,
    vault,
    ...(agentNames && { agentNames }),
    limits: {
      deadlineMs: 600_000,
      stepTimeoutMs: 300_000,
      maxRunning: 50,
      maxRunBytes: 50_000_000,
      retentionMs: 3_600_000,
      ...limits,
    },
    observer: {
      runStarted: tell("runStarted"),
      runReopened: tell("runReopened"),
      runEnded: tell("runEnded"),
      stepChanged: tell("stepChanged"),
      runBroken: tell("runBroken"),
      runUnreadable: tell("runUnreadable"),
      messageRefused: tell("messageRefused"),
      timerFailed: tell("timerFailed"),
    },
  });
  const close = async (): Promise<void> => {
    await workflows.stop(5_000);
    await bus.close();
    await database.close();
  };
  return { database, bus, workflows, told, close };
}
