import type { AgentResult } from "@crosszone/contracts";

/** A result as the bridge publishes it. */
export const agentResult = (taskId: string, members: Partial<AgentResult> = {}): AgentResult => ({
  run_id: taskId,
  task_id: taskId,
  status: "SUCCESS",
  output_data: { text: `done ${taskId}`, response: "" },
  correlation_id: "c-1",
  error_message: null,
  timestamp: "2026-03-01T10:00:00Z",
  ...members,
});
