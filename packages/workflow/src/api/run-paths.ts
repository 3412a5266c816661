import {
  page,
  readQuery,
  textThat,
  trueOrFalse,
  type ApiContent,
  type ApiExchange,
  type ApiPath,
  type QueryMember,
} from "@crosszone/admin-api";
import { isCorrelationId, isRunState, isStepPath, isWorkflowId, type RunGraph } from "@crosszone/contracts";
import { graphOf } from "../run/graph-of.ts";
import type { RunChange, Workflows } from "../runner/workflows.ts";
import type { ReadRun } from "../store/run-reader.ts";
import { redactList, redactRun, redactStep } from "./redact-run.ts";
import { createStartRunRoute } from "./start-run-route.ts";
import { createWatchRoute } from "./watch-route.ts";
import { WorkflowProblem } from "./workflow-problem.ts";
import type { ReadBody } from "./workflow-paths.ts";

export interface RunPathsOptions {
  readonly readBody: ReadBody;
  readonly maxWatchers: number;
}

const listQuery = {
  ...page,
  workflow_id: textThat(isWorkflowId, "must be the id of a workflow"),
  state: textThat(isRunState, "must be pending, running, succeeded, failed, canceled or timed_out"),
  correlation_id: textThat(isCorrelationId, "must be 1 to 128 printable ASCII characters without spaces"),
  redact: trueOrFalse,
};

const attemptsQuery = {
  path: ((value, wrong) => {
    if (isStepPath(value)) return value;
    wrong("must be the path of a step as listed in the run");
    return "";
  }) satisfies QueryMember<string>,
  redact: trueOrFalse,
};

/** Returns the routes for runs. */
export function runPaths(
  workflows: Workflows,
  { readBody, maxWatchers }: RunPathsOptions,
): Readonly<Record<string, ApiPath>> {
  const idOf = ({ params }: ApiExchange): string => params["run_id"] ?? "";

  async function find(exchange: ApiExchange): Promise<ReadRun> {
    const found = await workflows.getRun(idOf(exchange));
    if (found === undefined) throw new WorkflowProblem("run_not_found", "List the runs to see their ids.");
    return found;
  }

  async function list({ request }: ApiExchange): Promise<ApiContent> {
    const { limit, offset, workflow_id, state, correlation_id, redact } = readQuery(request.url, listQuery);
    const runs = await workflows.listRuns({
      limit,
      offset,
      ...(workflow_id !== undefined && { workflowId: workflow_id }),
      ...(state !== undefined && { state }),
      ...(correlation_id !== undefined && { correlationId: correlation_id }),
    });
    return { status: 200, body: redact === true ? redactList(runs) : runs };
  }

  async function attempts(exchange: ApiExchange): Promise<ApiContent> {
    const { path, redact } = readQuery(exchange.request.url, attemptsQuery);
    const { run } = await find(exchange);
    const found = await workflows.attempts(run.run_id, path);
    if (found.length === 0) throw new WorkflowProblem("step_not_found", "Use the path of a step as listed in the run.");
    return {
      status: 200,
      body: { run_id: run.run_id, path, attempts: redact === true ? found.map(redactStep) : found },
    };
  }

  function changed(change: RunChange, tooLate: (state: string) => WorkflowProblem): ApiContent {
    if (change.outcome === "unknown_run") throw new WorkflowProblem("run_not_found", "List the runs to see their ids.");
    if (change.outcome === "too_late") throw tooLate(change.run.state);
    return { status: 200, body: change.run };
  }

  return {
    "/runs": { get: list, post: createStartRunRoute(workflows, readBody) },
    "/runs/{run_id}": {
      get: async (exchange) => {
        const { redact } = readQuery(exchange.request.url, { redact: trueOrFalse });
        const { run } = await find(exchange);
        return { status: 200, body: redact === true ? redactRun(run) : run };
      },
    },
    "/runs/{run_id}/graph": {
      get: async (exchange) => {
        const { run, record } = await find(exchange);
        const { run_id, revision, state, definition } = run;
        const body: RunGraph = { run_id, revision, state, ...graphOf(definition, record) };
        return { status: 200, body };
      },
    },
    "/runs/{run_id}/attempts": { get: attempts },
    "/runs/{run_id}/cancel": {
      post: async (exchange) =>
        changed(
          await workflows.cancel(idOf(exchange)),
          (state) => new WorkflowProblem("run_ended", `It is ${state}: it has ended, so it can't be canceled.`),
        ),
    },
    "/runs/{run_id}/retry": {
      post: async (exchange) =>
        changed(
          await workflows.retry(idOf(exchange)),
          (state) =>
            new WorkflowProblem("run_not_failed", `It is ${state}: only failed or timed-out runs can be retried.`),
        ),
    },
    "/runs/{run_id}/events": { get: createWatchRoute(workflows, { find, maxWatchers }) },
  };
}
