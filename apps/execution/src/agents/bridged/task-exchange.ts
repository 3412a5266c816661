import type { MessageBus, Subscription } from "@crosszone/bus";
import type { AgentResult, AgentTask, ZoneError } from "@crosszone/contracts";
import { patiently } from "@crosszone/sql";
import { isUnwanted } from "../is-unwanted.ts";
import { waitingGroup, type AgentWaitStore, type SentTask } from "./waits/agent-wait-store.ts";
import { createResultWatch } from "./waits/result-watch.ts";

/** Has tasks done by whoever takes them off the bus. */
export interface TaskExchange {
  /**
   * Puts a task on the bus and waits for its result, which may be there already when another process has put it there. Rejects
   * with the signal's reason; the task goes on then, unless that is `canceled` or `timeout`: nobody will want its result.
   */
  readonly ask: (sent: SentTask, signal: AbortSignal) => Promise<AgentResult>;
  /** Says on the bus that nobody wants the result of a task any more. Never throws. */
  readonly cancel: (task: Pick<AgentTask, "task_id" | "correlation_id">, reason: string) => void;
  /** Begins to take results off the bus. */
  readonly start: () => Promise<void>;
  /** Takes no more results, and ends what it was asked to say. */
  readonly stop: (graceMs?: number) => Promise<void>;
}

export interface TaskExchangeDeps {
  readonly bus: Pick<MessageBus, "subscribe">;
  readonly waits: AgentWaitStore;
  readonly now: () => Date;
  /** How many results are taken off the bus at once. */
  readonly concurrency?: number;
  /** Told of what did not work and is tried again, or is made up for by a deadline. */
  readonly onFailure: (operation: ExchangeOperation, cause: unknown) => void;
}

export const exchangeOperations = ["send", "look", "cancel"] as const;
export type ExchangeOperation = (typeof exchangeOperations)[number];

/** A process that sends tasks over the bus, and finds their results whichever process gets them. */
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
      // Begun before the task is sent: its result may come at once.
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
