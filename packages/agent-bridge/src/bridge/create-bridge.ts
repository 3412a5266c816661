import { randomUUID } from "node:crypto";
import type { MessageBus, Subscription } from "@crosszone/bus";
import type { Purge, Vault } from "@crosszone/service-kit";
import type { Database } from "@crosszone/sql";
import type { BridgeObserver } from "../bridge-observer.ts";
import type { AgentCaller } from "../calls/agent-caller.ts";
import { createCanaryWatch, type EndCanaries } from "../canary/watch-canaries.ts";
import type { CallReadings } from "../calls/call-store.ts";
import type { AgentCallTables } from "../calls/store/agent-call-table.ts";
import { createCallStore } from "../calls/store/sql-call-store.ts";
import type { AgentRegistry } from "../registry/agent-registry.ts";
import type { AgentSlots } from "../slots/agent-slots.ts";
import type { CallRunDeps } from "./call-run.ts";
import { takeInCancellations } from "./take-in-cancellations.ts";
import { takeInTasks } from "./take-in-tasks.ts";
import { createWorkers } from "./workers.ts";

/** Time limits and attempts of a bridge. It has no defaults. */
export interface BridgeLimits {
  /** How long a call's lease lasts without renewal, milliseconds. */
  readonly leaseMs: number;
  /** How long an ended call is kept, milliseconds. A task that arrives again within this time is not repeated. */
  readonly retentionMs: number;
  /** Timeout of a task without its own deadline, milliseconds. */
  readonly deadlineMs: number;
  /** The most runs of a call when processes crash. */
  readonly mostAttempts: number;
}

/** Dependencies of a bridge. It closes none of them. */
export interface BridgeDeps {
  readonly bus: Pick<MessageBus, "kind" | "subscribe" | "outbox">;
  /** The database of the bus's outbox; `agentCallsStep` creates its table. */
  readonly database: Database<AgentCallTables>;
  readonly registry: Pick<AgentRegistry, "find">;
  readonly caller: AgentCaller;
  /** Limits the concurrent calls of this process, per agent and in total. */
  readonly slots: Pick<AgentSlots, "take" | "free">;
  readonly observer: BridgeObserver;
  readonly limits: BridgeLimits;
  /** Seals inputs and results of agents. */
  readonly vault?: Pick<Vault, "seal" | "open"> | undefined;
  /** Ends canaries that fail or are slow; without it only people end them. */
  readonly canaries?: EndCanaries;
  /** Called with what an agent has streamed so far, for previews. Must not throw. */
  readonly onArtifacts?: CallRunDeps["onArtifacts"];
  /** The consumer group of all bridges. */
  readonly group?: string;
}

/** The backlog of a database's bridges, and the activity of this one. */
export interface BridgeReadings extends CallReadings {
  /** Calls running in this process. */
  readonly running: number;
}

/** Consumes tasks from the bus, calls agents, and publishes exactly one result per task, even if a process crashes. */
export interface AgentBridge {
  /** Starts to consume tasks. Rejects when it can't subscribe to the bus; it then has undone what it started. */
  readonly start: () => Promise<void>;
  /** Consumes no more tasks, lets running tasks end within `graceMs` milliseconds, and releases the others. */
  readonly stop: (graceMs: number) => Promise<void>;
  /** Rejects when the database is unreachable. */
  readonly readings: () => Promise<BridgeReadings>;
  /** Deletes calls that ended long ago. */
  readonly purge: Purge;
}

/** Messages of one channel stored in parallel. They share transactions, so many cost little more than one. */
const concurrency = 200;

/**
 * Creates a bridge, which does nothing before `start`. Many processes can have one each on the same bus and database.
 */
export function createBridge(deps: BridgeDeps): AgentBridge {
  const { bus, observer, limits, group = "agent-bridge" } = deps;
  const store = createCallStore({ ...deps, ...limits, owner: randomUUID() });
  const { canaries } = deps;
  const watch = canaries && createCanaryWatch({ ...deps, canaries });
  const workers = createWorkers({ ...deps, ...limits, store, onTrialEnded: watch?.ended });
  const intake = { bus, store, observer, group, concurrency };
  let subscriptions: readonly Subscription[] = [];

  // Both at once: calls taken while subscriptions close would start too late.
  const stop = async (graceMs: number): Promise<void> => {
    await Promise.all([workers.stop(graceMs), ...subscriptions.map(({ close }) => close(graceMs))]);
    await watch?.stop();
  };

  return {
    start: async () => {
      workers.start();
      const asked = await Promise.allSettled([
        takeInCancellations({ ...intake, workers }),
        takeInTasks({ ...intake, deadlineMs: limits.deadlineMs, workers }),
      ]);
      subscriptions = asked.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
      const refused = asked.find((one) => one.status === "rejected");
      if (refused === undefined) return;
      await stop(0);
      throw refused.reason;
    },
    stop,
    readings: async () => ({ ...(await store.readings()), running: workers.running() }),
    purge: { table: "agent_call", purge: store.forget },
  };
}
