import {
  type ApiContent,
  type ApiExchange,
  type ApiPath,
  page,
  type QueryMember,
  readQuery,
  textThat,
  trueOrFalse,
} from "@crosszone/admin-api";
import {
  isCorrelationId,
  isRunState,
  isStepPath,
  isWorkflowId,
  type RunGraph,
  type WorkflowRunSummary,
} from "@crosszone/contracts";
import { graphOf } from "../run/run-graph.ts";
import type { RunChange, Workflows } from "../runner/workflows.ts";
import { redactList, redactRun, redactStep } from "./redact-run.ts";
import { createStartRunRoute } from "./start-run-route.ts";
import { createWatchRoute, type MeasureRun } from "./watch-route.ts";
import { type ReadBody, WorkflowProblem } from "./workflow-problem.ts";

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

/** Returns the routes for runs. At most `maxWatchers` clients watch runs at the same time. */
export function runPaths(
  workflows: Workflows,
  readBody: ReadBody,
  maxWatchers: number,
): Readonly<Record<string, ApiPath>> {
  const measure: MeasureRun = async (exchange) => found(await workflows.sizeOf(runIdOf(exchange)));
  return {
    "/runs": { get: (exchange) => listRuns(workflows, exchange), post: createStartRunRoute(workflows, readBody) },
    "/runs/{run_id}": {
      get: async (exchange) => {
        const { redact } = readQuery(exchange.request.url, { redact: trueOrFalse });
        await exchange.content.hold((await measure(exchange)).bytes);
        const { run } = found(await workflows.getRun(runIdOf(exchange)));
        return { status: 200, body: redact === true ? redactRun(run) : run };
      },
    },
    "/runs/{run_id}/graph": {
      get: async (exchange) => {
        const { run, record } = found(await workflows.states(runIdOf(exchange)));
        const { run_id, state } = record;
        const body: RunGraph = { run_id, revision: run.revision, state, ...graphOf(run.definition, record) };
        return { status: 200, body };
      },
    },
    "/runs/{run_id}/attempts": { get: (exchange) => listAttempts(workflows, exchange, measure) },
    "/runs/{run_id}/cancel": {
      post: async (exchange) => {
        const refuse: Refuse = ({ state }) => new WorkflowProblem("run_ended", `The run has already ${pastOf(state)}.`);
        return changed(await workflows.cancel(runIdOf(exchange), exchange), refuse);
      },
    },
    "/runs/{run_id}/retry": {
      post: async (exchange) => {
        const refuse: Refuse = ({ retryable, state }) =>
          retryable === false
            ? new WorkflowProblem("retry_useless", "Fix the workflow, store it as a new version, and start a new run.")
            : new WorkflowProblem("run_not_failed", `It is ${state}: only failed or timed-out runs can be retried.`);
        return changed(await workflows.retry(runIdOf(exchange), exchange), refuse);
      },
    },
    "/runs/{run_id}/events": { get: createWatchRoute(workflows, measure, maxWatchers) },
  };
}

const runIdOf = ({ params }: ApiExchange): string => params["run_id"] ?? "";

const runNotFound = (): WorkflowProblem => new WorkflowProblem("run_not_found", "List the runs to see their ids.");

function found<Read>(read: Read | undefined): Read {
  if (read === undefined) throw runNotFound();
  return read;
}

async function listRuns(workflows: Workflows, { request }: ApiExchange): Promise<ApiContent> {
  const { limit, offset, workflow_id, state, correlation_id, redact } = readQuery(request.url, listQuery);
  const runs = await workflows.listRuns({
    limit,
    offset,
    workflowId: workflow_id,
    state,
    correlationId: correlation_id,
  });
  return { status: 200, body: redact === true ? redactList(runs) : runs };
}

async function listAttempts(workflows: Workflows, exchange: ApiExchange, measure: MeasureRun): Promise<ApiContent> {
  const { path, redact } = readQuery(exchange.request.url, attemptsQuery);
  await exchange.content.hold((await measure(exchange)).bytes);
  const run_id = runIdOf(exchange);
  const attempts = await workflows.attempts(run_id, path);
  if (attempts.length === 0)
    throw new WorkflowProblem("step_not_found", "Use the path of a step as listed in the run.");
  return {
    status: 200,
    body: { run_id, path, attempts: redact === true ? attempts.map(redactStep) : attempts },
  };
}

type Refuse = (run: WorkflowRunSummary) => WorkflowProblem;

const pastOf = (state: string): string => ({ canceled: "been canceled", timed_out: "timed out" })[state] ?? state;

function changed(change: RunChange, refuse: Refuse): ApiContent {
  if (change.outcome === "unknown_run") throw runNotFound();
  if (change.outcome === "too_late") throw refuse(change.run);
  return { status: 200, body: change.run };
}
