import { ApiProblem, type ApiHandler, ApiReply } from "@crosszone/admin-api";
import type { StartRunRequest } from "@crosszone/contracts";
import { readTraceparent } from "@crosszone/service-kit/tracing";
import type { Workflows } from "../runner/create-workflows.ts";
import type { StartedRun } from "../runner/start-run.ts";

/**
 * Returns what starts runs. A run gets the correlation id of its request unless it names one, and joins the trace of its request.
 */
export function createStartRunHandler(workflows: Workflows): ApiHandler<"startRun"> {
  return async ({ headers, body, baseUrl, by, signal }) => {
    const { "idempotency-key": key, traceparent: given } = headers;
    const traceparent = readTraceparent(given);
    const started = await workflows.startRun(
      { correlation_id: by.correlationId, ...body },
      {
        signal,
        by,
        requester: { requester: by.actor },
        idempotencyKey: key === undefined ? undefined : `${by.actor} ${key}`,
        headers: traceparent === undefined ? undefined : { traceparent },
      },
    );
    if (!("run" in started)) throw refusalOf(started, body);
    const { outcome, run } = started;
    const location = `${baseUrl}/runs/${run.run_id}`;
    return new ApiReply({ status: outcome === "started" ? 201 : 200, body: run, headers: { location } });
  };
}

function refusalOf(started: Exclude<StartedRun, { readonly run: unknown }>, { version }: StartRunRequest): ApiProblem {
  if (started.outcome === "key_reused")
    return new ApiProblem("key_reused", "Repeat the same request, or use another Idempotency-Key.");
  if (started.outcome === "invalid_input") {
    const problems = started.problems.map(({ pointer, message }) => ({ pointer: `/input${pointer}`, message }));
    return new ApiProblem("invalid_input", undefined, { problems });
  }
  if (started.outcome === "nobody_decides") return new ApiProblem("nobody_decides", started.reason);
  const where = version === undefined ? "the workflows to see their ids" : "the versions of the workflow";
  return new ApiProblem("workflow_not_found", `List ${where}.`);
}
