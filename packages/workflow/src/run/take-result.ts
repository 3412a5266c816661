import type { AgentResult } from "@crosszone/contracts";
import { addBytes, endStep, type RunDraft } from "./run-draft.ts";
import { stepIdOf } from "../state/step-path.ts";

/** Applies an agent's result to its step. Returns false if no step waits for it: it is late, repeated, or belongs to another run. */
export function takeResult(draft: RunDraft, result: AgentResult): boolean {
  const path = result.run_id === draft.before.run_id ? draft.tasks.get(result.task_id) : undefined;
  if (path === undefined) return false;
  draft.tasks.delete(result.task_id);
  const calls = result.attempts !== undefined && { calls: result.attempts };
  const step = stepIdOf(path);
  if (result.status === "SUCCESS") {
    const { output_data: output } = result;
    const excess = addBytes(draft, `The output of the step "${step}"`, output);
    if (excess) endStep(draft, path, { state: "failed", error: { path, ...excess }, ...calls });
    else endStep(draft, path, { state: "succeeded", output, ...calls });
    return true;
  }
  const { error, error_message } = result;
  const message = (error_message ?? error?.message) || "The agent failed without giving a reason.";
  const problem = { kind: "agent_failed" as const, message, ...(error && { agent_error: error }) };
  const excess = addBytes(draft, `The agent's error in the step "${step}"`, error ?? message);
  endStep(draft, path, { state: "failed", error: { path, ...(excess ?? problem) }, ...calls });
  return true;
}
