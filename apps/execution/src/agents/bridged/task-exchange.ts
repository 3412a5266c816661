import type { MessageBus, Subscription } from "@crosszone/bus";
import type { AgentResult, AgentTask, ZoneError } from "@crosszone/contracts";
import { patiently } from "@crosszone/sql";
import { isUnwanted } from "../is-unwanted.ts";
import { waitingGroup, type AgentWaitStore, type SentTask } from "./waits/agent-wait-store.ts";
import { createResultWatch } from "./waits/result-watch.ts";

/** Runs agent tasks over the bus. */
export interface TaskExchange {
  /**
   * Publishes a task and waits for its result, which another process may already have received. Rejects with the
   * signal's reason. The task then continues, unless the reason is `canceled` or `timeout`.
   */
  readonly ask: (sent: SentTask, signal: AbortSignal) => Promise<AgentResult>;
  /** Publishes that a task's result is no longer wanted. Never throws. */
  readonly cancel: (task: Pick<AgentTask, "task_id" | "correlation_id">, reason: string) => void;
  /** Starts to consume results. */
  readonly start: () => Promise<void>;
  /** Stops consuming results and finishes pending cancellations. */
  readonly stop: (graceMs?: number) => Promise<void>;
}

export interface TaskExchangeDeps {
  readonly bus: Pick<MessageBus, "subscribe">;
  readonly waits: AgentWaitStore;
  readonly now: () => Date;
  /** How many results are consumed in parallel. */
  readonly concurrency?: number;
  /** Receives failures that are retried or that a deadline makes up for. */
  readonly onFailure: (operation: ExchangeOperation, cause: unknown) => void;
}

export const exchangeOperations = ["send", "look", "cancel"] as const;
export type ExchangeOperation = (typeof exchangeOperations)[number];

/** Creates an exchange that sends tasks over the bus and finds their results, whichever process consumes them. */
export function createTaskExchange({ bus, waits, now, onFailure, ...options }: TaskExchangeDeps): TaskExchange {
  const { concurrency = 100 } = options;
  const { tell, waitFor } = createResultWatch({ store: waits, onFailure: (cause) => onFailure("look", cause) });
  const canceling = new Set<Promise<void>>();
  let subscription: Subscription | undefined;

  async function handle({ value }: { readonly value: AgentResult }): Promise<void> {
    if (await waits.keep(value)) tell(value);
  }

  const cancel: TaskExchange["cancel"] = ({ task_id, correlation_id }, reason) => {
    const timestamp = now().toISOString();
    const said = patiently(() => waits.cancel({ run_id: task_id, task_id, correlation_id, timestamp, reason }))
      .catch((cause: unknown) => onFailure("cancel", cause))
      .finally(() => canceling.delete(said));
    canceling.add(said);
  };

  return {
    ask: async (sent, signal) => {
      const over = new AbortController();
      // Started before the task is sent, because its result may arrive at once.
      const waited = waitFor(sent.task.task_id, AbortSignal.any([signal, over.signal]));
      waited.catch(() => undefined);
      try {
        const onRepeat = ({ error }: { readonly error: unknown }): void => onFailure("send", error);
        await patiently(() => waits.send(sent), { budgetMs: Infinity, signal, onRepeat });
        return await waited;
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      } finally {
        over.abort();
        if (signal.aborted && isUnwanted(signal.reason)) cancel(sent.task, (signal.reason as ZoneError).kind);
      }
    },

    cancel,

    start: async () => {
      subscription = await bus.subscribe("agent_results", { group: waitingGroup, concurrency, handle });
    },

    stop: async (graceMs) => {
      await Promise.all(canceling);
      await subscription?.close(graceMs);
    },
  };
}
