import type { IncomingMessage } from "node:http";
import { ApiProblem, type ProblemDetail } from "@crosszone/admin-api";

export type ReadBody = (request: IncomingMessage) => Promise<unknown>;

/** The problems of workflows and runs, in addition to the common API problems. */
export const workflowProblems = {
  workflow_not_found: { status: 404, title: "Workflow not found" },
  run_not_found: { status: 404, title: "Run not found" },
  step_not_found: { status: 404, title: "The run has no such step" },
  version_conflict: { status: 409, title: "The version exists with different content" },
  run_ended: { status: 409, title: "The run can't be canceled" },
  run_not_failed: { status: 409, title: "The run has not failed" },
  retry_useless: { status: 409, title: "The run would fail the same way again" },
  invalid_workflow: { status: 422, title: "The workflow is not valid" },
  invalid_request: { status: 422, title: "The run request is not valid" },
  invalid_input: { status: 422, title: "The input does not match the workflow's schema" },
  nobody_decides: { status: 422, title: "Nobody can decide what the workflow asks" },
  key_reused: { status: 422, title: "The idempotency key was used for another request" },
  too_many_watchers: { status: 503, title: "Too many run watchers" },
} as const;

type WorkflowProblemKind = keyof typeof workflowProblems;

/** A refused request about workflows or runs. The message says how to fix it. */
export class WorkflowProblem extends ApiProblem {
  constructor(kind: WorkflowProblemKind, message: string, detail?: ProblemDetail) {
    super({ kind, ...workflowProblems[kind] }, message, detail);
  }
}
