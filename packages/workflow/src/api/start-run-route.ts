import type { IncomingMessage } from "node:http";
import { type AnswerTo, ApiProblem, idempotencyKeyOf, type ProblemDetail } from "@crosszone/admin-api";
import { authorOf } from "@crosszone/audit";
import { isStartRunRequest, problemsOf, type StartRunRequest, type Validator } from "@crosszone/contracts";
import { readTraceparent } from "@crosszone/service-kit/tracing";
import type { Workflows } from "../runner/create-workflows.ts";
import type { StartedRun } from "../runner/start-run.ts";

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
  invalid_event: { status: 422, title: "The event is not valid" },
  invalid_input: { status: 422, title: "The input does not match the workflow's schema" },
  nobody_decides: { status: 422, title: "Nobody can decide what the workflow asks" },
  key_reused: { status: 422, title: "The idempotency key was used for another request" },
  too_many_watchers: { status: 503, title: "Too many run watchers" },
} as const;

/** A refused request about workflows or runs. The message says how to fix it. */
export class WorkflowProblem extends ApiProblem {
  constructor(kind: keyof typeof workflowProblems, message: string, detail?: ProblemDetail) {
    super({ kind, ...workflowProblems[kind] }, message, detail);
  }
}

/**
 * Returns the route that starts runs. A run gets the correlation id of its request unless it names one, and joins the trace of its request.
 */
export function createStartRunRoute(workflows: Workflows, readBody: ReadBody): AnswerTo {
  return async (exchange) => {
    const { request, baseUrl, actor, correlationId, signal } = exchange;
    const key = idempotencyKeyOf(request);
    const body = readRequest(isStartRunRequest, await readBody(request));
    const traceparent = readTraceparent(request.headers["traceparent"]);
    const started = await workflows.startRun(
      { correlation_id: correlationId, ...body },
      {
        signal,
        by: authorOf(exchange),
        requester: { requester: actor },
        idempotencyKey: key === undefined ? undefined : `${actor} ${key}`,
        headers: traceparent === undefined ? undefined : { traceparent },
      },
    );
    if (!("run" in started)) throw refusalOf(started, body);
    const { outcome, run } = started;
    const location = `${baseUrl}/runs/${run.run_id}`;
    return { status: outcome === "started" ? 201 : 200, body: run, headers: { location } };
  };
}

/** Returns the body of a request. Throws the problems of one that is not valid. */
export function readRequest<Body>(
  isValid: Validator<Body>,
  body: unknown,
  kind: "invalid_request" | "invalid_event" = "invalid_request",
): Body {
  if (isValid(body)) return body;
  const problems = problemsOf(isValid, body);
  throw new WorkflowProblem(kind, "Fix the members listed in `problems`.", { problems });
}

function refusalOf(
  started: Exclude<StartedRun, { readonly run: unknown }>,
  { version }: StartRunRequest,
): WorkflowProblem {
  if (started.outcome === "key_reused")
    return new WorkflowProblem("key_reused", "Repeat the same request, or use another Idempotency-Key.");
  if (started.outcome === "invalid_input")
    return new WorkflowProblem("invalid_input", "Fix the members listed in `problems`.", {
      problems: started.problems.map(({ pointer, message }) => ({ pointer: `/input${pointer}`, message })),
    });
  if (started.outcome === "nobody_decides") return new WorkflowProblem("nobody_decides", started.reason);
  const where = version === undefined ? "the workflows to see their ids" : "the versions of the workflow";
  return new WorkflowProblem("workflow_not_found", `List ${where}.`);
}
