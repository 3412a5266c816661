import type { BusMessage } from "@crosszone/bus";
import { AgentFailure } from "../agent-failure.ts";
import { failureResult } from "./agent-results.ts";

/**
 * Returns the failure that replaces a task or result that is too large for the bus, so that its waiting caller learns
 * it at once.
 */
export function insteadOfTooLarge({ channel, value, headers = {} }: BusMessage): BusMessage | undefined {
  if (channel === "agent_cancellations") return undefined;
  const failure =
    channel === "agent_tasks"
      ? new AgentFailure("invalid_task", "The task is larger than the bus accepts.")
      : new AgentFailure("response_too_large", "The agent's answer is larger than the bus accepts.");
  return { channel: "agent_results", value: failureResult(value, failure), headers };
}
