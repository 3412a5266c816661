import type { Transaction } from "kysely";
import type { ConsumerGroups } from "../addressees.ts";
import type { BusMessage, ChannelName } from "../bus-message.ts";
import type { MessageBus } from "../message-bus.ts";
import type { Redelivery } from "../redelivery.ts";

/** The consumer groups of the contract's channels. */
export const contractGroups = {
  agent_tasks: ["agent-bridge"],
  agent_cancellations: ["agent-bridge"],
  agent_results: ["execution", "workflow"],
} as const satisfies ConsumerGroups;

/** Backoff for contract tests: as short as possible. */
export const contractRedelivery: Redelivery = { firstMs: 10, longestMs: 50, mostAttempts: 5 };

/** The shared store of several processes: a database or a broker. Empty at first. */
export interface BusStore {
  /** Creates a bus as another process would, closed with the test. Uses the groups and backoff above. */
  readonly newBus: () => Promise<MessageBus>;
  /** Writes a text that no program of ours would publish. */
  readonly publishText: (channel: ChannelName, key: string, text: string) => Promise<void>;
  /** Runs a transaction of the buses' database. */
  readonly transaction: <T>(run: (transaction: Transaction<never>) => Promise<T>) => Promise<T>;
  /** Arguments of `node` for a program that creates such a bus and calls `runStandingConsumer`: a process to kill. */
  readonly standingConsumer: readonly string[];
  /** The longest delay until a message of a killed process is delivered to another one, milliseconds. */
  readonly afterCrashMs: number;
}

/** A task for an agent; `input` identifies it. */
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
