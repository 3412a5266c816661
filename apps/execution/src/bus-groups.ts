import type { ConsumerGroups } from "@crosszone/bus";

/** Who takes what off the bus: the bridge what is asked of agents; what comes back, those who ask: tasks, and runs of workflows. */
export const busGroups: ConsumerGroups = {
  agent_tasks: ["agent-bridge"],
  agent_cancellations: ["agent-bridge"],
  agent_results: ["execution", "workflow"],
};
