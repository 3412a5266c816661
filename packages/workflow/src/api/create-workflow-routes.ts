import type { IncomingMessage } from "node:http";
import {
  type ApiContent,
  type ApiExchange,
  type ApiPart,
  type ApiPath,
  narrowing,
  page,
  type QueryMember,
  readJsonBody,
  readQuery,
  SharedProblem,
  textThat,
  trueOrFalse,
} from "@crosszone/admin-api";
import { authorOf } from "@crosszone/audit";
import {
  isCorrelationId,
  isPublishEventRequest,
  isRunId,
  isRunState,
  isStepPath,
  isWorkflowId,
  type RunGraph,
  type RunList,
  type WorkflowRecord,
  type WorkflowRunSummary,
} from "@crosszone/contracts";
import { openApi } from "@crosszone/contracts/openapi";
import { graphOf } from "../run/run-graph.ts";
import type { RunChangeResult, Workflows } from "../runner/create-workflows.ts";
import type { RunCursor } from "../store/run-reader.ts";
import { createStartRunRoute, type ReadBody, readRequest, WorkflowProblem } from "./start-run-route.ts";
import { createWatchRoute, type MeasureRun, redactRun, redactSaid } from "./watch-route.ts";

const cursor: QueryMember<RunCursor | undefined> = (value, wrong) => {
  const [, at, runId] = /^(\d{1,15})_(.+)$/.exec(value ?? "") ?? [];
  if (isRunId(runId)) return { createdAt: Number(at), runId };
  if (value !== undefined) wrong("must be the `next_cursor` of the page before");
  return undefined;
};

const listQuery = {
  limit: page.limit,
  cursor,
  ...narrowing,
  waiting: trueOrFalse,
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
function runPaths(deps: WorkflowRoutesDeps, readBody: ReadBody): Readonly<Record<string, ApiPath>> {
  const { workflows, maxWatchers = 200 } = deps;
  const measure: MeasureRun = async (exchange) => existing(await workflows.sizeOf(runIdOf(exchange)));
  return {
    "/events": {
      post: async (exchange) => {
        const event = readRequest(isPublishEventRequest, await readBody(exchange.request), "invalid_event");
        return { status: 202, body: await workflows.publish(event, authorOf(exchange)) };
      },
    },
    "/runs": { get: (exchange) => listRuns(deps, exchange), post: createStartRunRoute(workflows, readBody) },
    "/runs/{run_id}": {
      get: async (exchange) => {
        const { redact } = readQuery(exchange.request.url, { redact: trueOrFalse });
        await exchange.content.hold((await measure(exchange)).bytes);
        const { run } = existing(await workflows.getRun(runIdOf(exchange)));
        return { status: 200, body: redact === true ? redactRun(run) : run };
      },
    },
    "/runs/{run_id}/graph": {
      get: async (exchange) => {
        const { run, record } = existing(await workflows.states(runIdOf(exchange)));
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

function existing<Read>(read: Read | undefined): Read {
  if (read === undefined) throw runNotFound();
  return read;
}

async function listRuns({ workflows, waits }: WorkflowRoutesDeps, { request }: ApiExchange): Promise<ApiContent> {
  const { workflow_id, correlation_id, redact, ...query } = readQuery(request.url, listQuery);
  const { runs, next } = await workflows.listRuns({
    ...query,
    workflowId: workflow_id,
    correlationId: correlation_id,
  });
  const open = runs.flatMap(({ run_id, ended_at }) => (ended_at === undefined ? [run_id] : []));
  const waiting = open.length === 0 ? undefined : await waits?.(open);
  const shown = runs.map((run) => withWaits(redact === true ? redactSaid(run) : run, waiting?.get(run.run_id)));
  const body: RunList = { runs: shown, next_cursor: next && `${next.createdAt}_${next.runId}` };
  return { status: 200, body };
}

const withWaits = (run: WorkflowRunSummary, waits: RunWaits | undefined): WorkflowRunSummary =>
  waits === undefined ? run : { ...run, waits_for: [...waits.waits_for], names: { ...waits.names, ...run.names } };

async function listAttempts(workflows: Workflows, exchange: ApiExchange, measure: MeasureRun): Promise<ApiContent> {
  const { path, redact } = readQuery(exchange.request.url, attemptsQuery);
  await exchange.content.hold((await measure(exchange)).bytes);
  const run_id = runIdOf(exchange);
  const attempts = await workflows.attempts(run_id, path);
  if (attempts.length === 0)
    throw new WorkflowProblem("step_not_found", "Use the path of a step as listed in the run.");
  return { status: 200, body: { run_id, path, attempts: redact === true ? attempts.map(redactSaid) : attempts } };
}

type Refuse = (run: WorkflowRunSummary) => WorkflowProblem;

const pastOf = (state: string): string => ({ canceled: "been canceled", timed_out: "timed out" })[state] ?? state;

function changed(change: RunChangeResult, refuse: Refuse): ApiContent {
  if (change.outcome === "unknown_run") throw runNotFound();
  if (change.outcome === "too_late") throw refuse(change.run);
  return { status: 200, body: change.run };
}

function workflowPaths(workflows: Workflows, readBody: ReadBody): Readonly<Record<string, ApiPath>> {
  const idOf = ({ params }: ApiExchange): string => params["workflow_id"] ?? "";

  function shown(record: WorkflowRecord | undefined): ApiContent {
    if (record === undefined) throw new WorkflowProblem("workflow_not_found", "List the workflows to see their ids.");
    return { status: 200, body: record };
  }

  async function create({ request, baseUrl, signal, ...by }: ApiExchange): Promise<ApiContent> {
    const created = await workflows.createVersion(await readBody(request), signal, by);
    if (created.outcome === "invalid")
      throw new WorkflowProblem("invalid_workflow", "Fix the members listed in `problems`.", created);
    const { outcome, record } = created;
    if (outcome === "conflict")
      throw new WorkflowProblem("version_conflict", "Stored versions can't be changed. Set another version.");
    const { workflow_id, version } = record;
    const location = `${baseUrl}/workflows/${workflow_id}/versions/${encodeURIComponent(version)}`;
    return { status: outcome === "created" ? 201 : 200, body: record, headers: { location } };
  }

  return {
    "/workflows": {
      get: async ({ request }) => ({ status: 200, body: await workflows.list(readQuery(request.url, page)) }),
      post: create,
    },
    "/workflows/validate": {
      post: async ({ request, signal, actor: caller }) => {
        const validate = (source: unknown) => workflows.validate(source, { signal, caller });
        const found = await readBody(request).then(validate, lostValues);
        return { status: 200, body: { valid: found.problems.length === 0, ...found } };
      },
    },
    "/workflows/{workflow_id}": { get: async (exchange) => shown(await workflows.get(idOf(exchange))) },
    "/workflows/{workflow_id}/versions": {
      get: async (exchange) => {
        const versions = await workflows.listVersions(idOf(exchange), readQuery(exchange.request.url, page));
        if (versions.total === 0) shown(undefined);
        return { status: 200, body: versions };
      },
    },
    "/workflows/{workflow_id}/versions/{version}": {
      get: async (exchange) => shown(await workflows.get(idOf(exchange), exchange.params["version"])),
    },
  };
}

/** Returns a definition's values that can't be kept as its problems. Throws any other error. */
function lostValues(error: unknown): Awaited<ReturnType<Workflows["validate"]>> {
  if (error instanceof SharedProblem && error.kind === "invalid_value")
    return { problems: error.problems ?? [], warnings: [] };
  throw error;
}

/** The deciders of a waiting run: ids of people and groups, and the known names. */
export interface RunWaits {
  readonly waits_for: readonly string[];
  readonly names: Readonly<Record<string, string>>;
}

export interface WorkflowRoutesDeps {
  readonly workflows: Workflows;
  /** Returns the deciders of waiting runs, by run id. When absent, lists leave them out. */
  readonly waits?: (runIds: readonly string[]) => Promise<ReadonlyMap<string, RunWaits>>;
  /** Largest request body, bytes (default 1 MiB). */
  readonly maxBytes?: number;
  /** Maximum number of concurrent run watchers in this process (default 200). */
  readonly maxWatchers?: number;
}

/** Returns the API routes that store workflows, start runs, and show them. */
export function createWorkflowRoutes(deps: WorkflowRoutesDeps): ApiPart {
  const { workflows, maxBytes = 1_048_576 } = deps;
  const readBody = (request: IncomingMessage): Promise<unknown> => readJsonBody(request, { maxBytes });
  return {
    document: openApi("workflow"),
    paths: { ...workflowPaths(workflows, readBody), ...runPaths(deps, readBody) },
  };
}
