import { randomUUID } from "node:crypto";
import type { MessageBus, Subscription } from "@crosszone/bus";
import type { Purge, Vault } from "@crosszone/service-kit";
import type { Database } from "@crosszone/sql";
import type { BridgeObserver } from "../bridge-observer.ts";
import type { AgentCaller } from "../calls/agent-caller.ts";
import type { CallReadings } from "../calls/call-store.ts";
import type { AgentCallTables } from "../calls/store/agent-call-table.ts";
import { createCallStore } from "../calls/store/sql-call-store.ts";
import type { AgentRegistry } from "../registry/agent-registry.ts";
import type { AgentSlots } from "../slots/agent-slots.ts";
import type { CallRunDeps } from "./call-run.ts";
import { takeInCancellations } from "./take-in-cancellations.ts";
import { takeInTasks } from "./take-in-tasks.ts";
import { createWorkers } from "./workers.ts";

/** How long, and how often, a bridge tries; it has no defaults of its own. */
export interface BridgeLimits {
  /** How long a call is held by a process that does not say any more that it lives; milliseconds. */
  readonly leaseMs: number;
  /** How long an ended call is kept, milliseconds: so long a task that comes again is not done again. */
  readonly retentionMs: number;
  /** How long a task may take that brings no deadline of its own, milliseconds. */
  readonly deadlineMs: number;
  /** How often a call is begun at most, when processes die. */
  readonly mostAttempts: number;
}

/** What a bridge works with. It closes none of it. */
export interface BridgeDeps {
  readonly bus: Pick<MessageBus, "kind" | "subscribe" | "outbox">;
  /** The database that the bus's outbox was made with; `agentCallsStep` makes its table. */
  readonly database: Database<AgentCallTables>;
  readonly registry: Pick<AgentRegistry, "find">;
  readonly caller: AgentCaller;
  /** How many calls run in this process at most, of one agent and of all. */
  readonly slots: Pick<AgentSlots, "take" | "free">;
  readonly observer: BridgeObserver;
  readonly limits: BridgeLimits;
  /** Seals what agents are asked and answer. */
  readonly vault?: Pick<Vault, "seal" | "open"> | undefined;
  /** Called with what an agent has streamed so far, for people who watch. Must not throw. */
  readonly onArtifacts?: CallRunDeps["onArtifacts"];
  /** The consumer group of all bridges. */
  readonly group?: string;
}

/** What the bridges of a database have to do, and what this one does now. */
export interface BridgeReadings extends CallReadings {
  /** Calls that run in this process. */
  readonly running: number;
}

/** Takes tasks off the bus, has agents do them, and puts exactly one result of each on the bus, whichever process dies. */
export interface AgentBridge {
  /** Begins to take tasks. Rejects when the bus cannot be subscribed to, and has taken back then what it began. */
  readonly start: () => Promise<void>;
  /** Takes no more tasks and lets those that run end for so long, then hands them back for another process. */
  readonly stop: (graceMs: number) => Promise<void>;
  /** Rejects when the database is away. */
  readonly readings: () => Promise<BridgeReadings>;
  /** Forgets calls that ended long ago. */
  readonly purge: Purge;
}

/** Messages of one channel that are stored at once. They share transactions, so that many cost little more than one. */
const concurrency = 200;

/** Puts a bridge together; it does nothing before `start`. Many processes may have one each on the same bus and database. */
export function createBridge(deps: BridgeDeps): AgentBridge {
  const { bus, observer, limits, group = "agent-bridge" } = deps;
  const store = createCallStore({ ...deps, ...limits, owner: randomUUID() });
  const workers = createWorkers({ ...deps, ...limits, store });
  const intake = { bus, store, observer, group, concurrency };
  let subscriptions: readonly Subscription[] = [];

  // At once: what would be taken while the subscriptions close would begin too late.
  const stop = async (graceMs: number): Promise<void> =>
    void (await Promise.all([workers.stop(graceMs), ...subscriptions.map(({ close }) => close(graceMs))]));

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
