import type { BusMessage, ChannelName } from "../bus/bus-message.ts";
import type { KafkaBus } from "../bus/kafka-bus.ts";
import type { Redelivery } from "../bus/deliver-message.ts";

/** Backoff for contract tests: as short as possible. */
export const contractRedelivery: Redelivery = { firstMs: 10, longestMs: 50, mostAttempts: 5 };

/** Topics of its own on a broker, for several processes. Empty at first. */
export interface BusStore {
  /** Creates a bus as another process would, closed with the test. Uses the backoff above. */
  readonly newBus: () => Promise<KafkaBus>;
  /** Writes a text that no program of ours would publish. */
  readonly publishText: (channel: ChannelName, key: string, text: string) => Promise<void>;
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
