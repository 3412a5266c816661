import type { AgentResult } from "@crosszone/contracts";
import { endStep, type RunDraft } from "./run-draft.ts";

/** Works an agent's result into its step. False when nobody waits for it: it comes late, twice, or is another run's. */
export function takeResult(draft: RunDraft, result: AgentResult): boolean {
  const path = result.run_id === draft.before.run_id ? draft.tasks.get(result.task_id) : undefined;
  if (path === undefined) return false;
  draft.tasks.delete(result.task_id);
  const calls = result.attempts !== undefined && { calls: result.attempts };
  if (result.status === "SUCCESS") {
    endStep(draft, path, { state: "succeeded", output: result.output_data, ...calls });
    return true;
  }
  const { error, error_message } = result;
  const message = (error_message ?? error?.message) || "The agent did not do its task, and did not say why.";
  const problem = { kind: "agent_failed" as const, message, path, ...(error && { agent_error: error }) };
  endStep(draft, path, { state: "failed", error: problem, ...calls });
  return true;
}
