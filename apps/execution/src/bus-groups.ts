import type { ConsumerGroups } from "@crosszone/bus";

/** Consumer groups: the bridge consumes agent tasks; tasks and workflow runs consume the results. */
export const busGroups: ConsumerGroups = {
  agent_tasks: ["agent-bridge"],
  agent_cancellations: ["agent-bridge"],
  agent_results: ["execution", "workflow"],
};
