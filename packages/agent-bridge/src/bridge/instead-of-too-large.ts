import type { BusMessage } from "@crosszone/bus";
import { AgentFailure } from "../agent-failure.ts";
import { failureResult } from "./agent-results.ts";

/** The FAILURE that goes onto the bus in the place of a task or a result which is too large for it: whoever waits is told at once. */
export function insteadOfTooLarge({ channel, value, headers = {} }: BusMessage): BusMessage | undefined {
  if (channel === "agent_cancellations") return undefined;
  const failure =
    channel === "agent_tasks"
      ? new AgentFailure("invalid_task", "What was asked is larger than the bus takes.")
      : new AgentFailure("response_too_large", "The agent's answer is larger than the bus takes.");
  return { channel: "agent_results", value: failureResult(value, failure), headers };
}
