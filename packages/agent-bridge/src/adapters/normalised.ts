import type { AgentFailure } from "../agent-failure.ts";
import type { Reading } from "./protocol-adapter.ts";

/** The reading of a succeeded task. */
export function success(task_id: string, output: unknown, warnings: readonly string[] = []): Reading {
  return { state: "ended", result: { task_id, status: "success", output, error: null }, warnings };
}

/** The reading of a failed task. */
export function failure(task_id: string, error: AgentFailure, warnings: readonly string[] = []): Reading {
  return { state: "ended", result: { task_id, status: "error", output: null, error }, warnings };
}
