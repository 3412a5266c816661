import type { Transaction } from "kysely";
import type { ConsumerGroups } from "../addressees.ts";
import type { BusMessage, ChannelName } from "../bus-message.ts";
import type { MessageBus } from "../message-bus.ts";
import type { Redelivery } from "../redelivery.ts";

/** The groups that the contract's messages go to. */
export const contractGroups = {
  agent_tasks: ["agent-bridge"],
  agent_cancellations: ["agent-bridge"],
  agent_results: ["execution", "workflow"],
} as const satisfies ConsumerGroups;

/** How a failed message comes again while the contract is tested: as fast as may be. */
export const contractRedelivery: Redelivery = { firstMs: 10, longestMs: 50, mostAttempts: 5 };

/** What several processes share: a database, or a broker. Empty at first. */
export interface BusStore {
  /** A bus as another process would have it, closed with the test. Groups and redelivery are those above. */
  readonly newBus: () => Promise<MessageBus>;
  /** Puts into a channel what no program of ours would. */
  readonly publishText: (channel: ChannelName, key: string, text: string) => Promise<void>;
  /** A transaction of the database that the buses were made with. */
  readonly transaction: <T>(run: (transaction: Transaction<never>) => Promise<T>) => Promise<T>;
  /**
   * Arguments of `node` for a program that makes such a bus and calls `runStandingConsumer`: a process to kill.
   */
  readonly standingConsumer: readonly string[];
  /** How long it takes at the most until a message of a process that was killed is delivered to another one, milliseconds. */
  readonly afterCrashMs: number;
}

/** A task for an agent: `key` is its key, `input` tells it apart. */
export function taskMessage(key: string, input: unknown = null): BusMessage<"agent_tasks"> {
  return {
    channel: "agent_tasks",
    value: { run_id: "run", task_id: key, agent_name: "agent", input_data: input, correlation_id: "correlation" },
    headers: { "data-owner": "team" },
  };
}

export function resultMessage(key: string): BusMessage<"agent_results"> {
  return {
    channel: "agent_results",
    value: {
      run_id: "run",
      task_id: key,
      status: "SUCCESS",
      output_data: { text: "ü \u0000 \ud800" },
      correlation_id: "correlation",
      error_message: null,
      timestamp: "2026-01-01T00:00:00Z",
    },
  };
}
