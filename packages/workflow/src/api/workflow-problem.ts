import { ApiProblem, type ProblemDetail } from "@crosszone/admin-api";

/** What is refused of workflows and runs, beside what every part of the API refuses. */
export const workflowProblems = {
  workflow_not_found: { status: 404, title: "There is no such workflow" },
  run_not_found: { status: 404, title: "There is no such run" },
  step_not_found: { status: 404, title: "The run has no such step" },
  version_conflict: { status: 409, title: "The version is there already, and holds something else" },
  run_ended: { status: 409, title: "The run has ended" },
  run_not_failed: { status: 409, title: "The run has not failed" },
  invalid_workflow: { status: 422, title: "The workflow is not valid" },
  invalid_request: { status: 422, title: "The request for a run is not valid" },
  invalid_input: { status: 422, title: "The input is not what the workflow asks for" },
  key_reused: { status: 422, title: "The idempotency key was that of another request" },
  too_many_watchers: { status: 503, title: "Too many watch runs here" },
} as const;

type WorkflowProblemKind = keyof typeof workflowProblems;

/** A request about workflows or runs that is refused. Its message is for the sender, and says what to do. */
export class WorkflowProblem extends ApiProblem {
  constructor(kind: WorkflowProblemKind, message: string, detail?: ProblemDetail) {
    super({ kind, ...workflowProblems[kind] }, message, detail);
  }
}
