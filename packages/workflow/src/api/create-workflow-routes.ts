import {
  type ApiPart,
  ApiProblem,
  type AskedFor,
  type ApiHandler,
  invalidBody,
  ApiReply,
  serveApi,
} from "@crosszone/admin-api";
import type { StartRunRequest, WorkflowRecord, WorkflowRunSummary } from "@crosszone/contracts";
import { readTraceparent } from "@crosszone/service-kit/tracing";
import { graphOf } from "../run/run-graph.ts";
import type { RunChangeResult, Workflows } from "../runner/create-workflows.ts";
import type { StartedRun } from "../runner/start-run.ts";
import type { RunSize } from "../store/run-reader.ts";
import { createWatchRun, redactRun, redactSaid } from "./watch-route.ts";

/** The deciders of a waiting run: ids of people and groups, and the known names. */
export interface RunWaits {
  readonly waits_for: readonly string[];
  readonly names: Readonly<Record<string, string>>;
}

export interface WorkflowRoutesDeps {
  readonly workflows: Workflows;
  /** Returns the deciders of waiting runs, by run id. When absent, lists leave them out. */
  readonly waits?: (runIds: readonly string[]) => Promise<ReadonlyMap<string, RunWaits>>;
  /** Maximum number of concurrent run watchers in this process (default 200). */
  readonly maxWatchers?: number;
}

/** Returns the part of the API that stores workflows, starts runs, and shows them. At most `maxWatchers` clients watch runs at the same time. */
export function createWorkflowRoutes(deps: WorkflowRoutesDeps): ApiPart {
  const { workflows, maxWatchers = 200 } = deps;
  const measure = async (runId: string): Promise<RunSize> => existing(await workflows.sizeOf(runId));
  return serveApi("workflow", {
    publishEvent: ({ body, by }) => workflows.publish(body, by),
    listRuns: (asked) => listRuns(deps, asked),
    startRun: createStartRunHandler(workflows),
    getRun: async ({ params: { run_id }, query: { redact }, content }) => {
      await content.hold((await measure(run_id)).bytes);
      const { run } = existing(await workflows.getRun(run_id));
      return redact ? redactRun(run) : run;
    },
    getRunGraph: async ({ params }) => {
      const { run, record } = existing(await workflows.states(params.run_id));
      const { run_id, state } = record;
      return { run_id, revision: run.revision, state, ...graphOf(run.definition, record) };
    },
    listStepAttempts: async ({ params: { run_id }, query: { path, redact }, content }) => {
      await content.hold((await measure(run_id)).bytes);
      const attempts = await workflows.attempts(run_id, path);
      if (attempts.length === 0) throw new ApiProblem("step_not_found");
      return { run_id, path, attempts: redact ? attempts.map(redactSaid) : attempts };
    },
    watchRun: createWatchRun(workflows, measure, maxWatchers),
    cancelRun: async ({ params, by }) =>
      changed(await workflows.cancel(params.run_id, by), ({ state }) => {
        return new ApiProblem("run_ended", `The run has already ${pastOf(state)}.`);
      }),
    retryRun: async ({ params, by }) =>
      changed(await workflows.retry(params.run_id, by), ({ retryable, state }) => {
        if (retryable === false) return new ApiProblem("retry_useless");
        return new ApiProblem("run_not_failed", `It is ${state}: only failed or timed-out runs can be retried.`);
      }),
    listWorkflows: async ({ query: { limit, cursor } }) => {
      const { next, ...page } = await workflows.list({ limit, after: cursor?.[0] });
      return { ...page, next_cursor: next === undefined ? undefined : [next] };
    },
    createWorkflowVersion: async ({ body, baseUrl, signal, by }) => {
      const created = await workflows.createVersion(body, signal, by);
      if (created.outcome === "invalid") throw invalidBody(created.problems);
      const { outcome, record } = created;
      if (outcome === "conflict")
        throw new ApiProblem("version_conflict", "Stored versions can't be changed. Set another version.");
      const { workflow_id, version } = record;
      const location = `${baseUrl}/workflows/${workflow_id}/versions/${encodeURIComponent(version)}`;
      return new ApiReply({ status: outcome === "created" ? 201 : 200, body: record, headers: { location } });
    },
    validateWorkflow: async ({ body, signal, by: { actor: caller } }) => {
      const found = await workflows.validate(body, { signal, caller });
      return { valid: found.problems.length === 0, ...found };
    },
    getWorkflow: async ({ params }) => known(await workflows.get(params.workflow_id)),
    listWorkflowVersions: async ({ params, query: { limit, cursor } }) => {
      const { next, ...page } = await workflows.listVersions(params.workflow_id, { limit, before: cursor?.[0] });
      if (page.total === 0) known(undefined);
      return { ...page, next_cursor: next === undefined ? undefined : [next] };
    },
    getWorkflowVersion: async ({ params }) => known(await workflows.get(params.workflow_id, params.version)),
  });
}

function existing<Read>(read: Read | undefined): Read {
  if (read === undefined) throw new ApiProblem("run_not_found");
  return read;
}

async function listRuns({ workflows, waits }: WorkflowRoutesDeps, { query: asked }: AskedFor<"listRuns">) {
  const { workflow_id: workflowId, correlation_id: correlationId, redact, ...query } = asked;
  const { runs, next } = await workflows.listRuns({ ...query, workflowId, correlationId });
  const open = runs.flatMap(({ run_id, ended_at }) => (ended_at === undefined ? [run_id] : []));
  const waiting = open.length === 0 ? undefined : await waits?.(open);
  const shown = runs.map((run) => withWaits(redact ? redactSaid(run) : run, waiting?.get(run.run_id)));
  return { runs: shown, next_cursor: next };
}

const withWaits = (run: WorkflowRunSummary, waits: RunWaits | undefined): WorkflowRunSummary =>
  waits === undefined ? run : { ...run, waits_for: [...waits.waits_for], names: { ...waits.names, ...run.names } };

const pastOf = (state: string): string => ({ canceled: "been canceled", timed_out: "timed out" })[state] ?? state;

function changed(change: RunChangeResult, refusal: (run: WorkflowRunSummary) => ApiProblem): WorkflowRunSummary {
  if (change.outcome === "too_late") throw refusal(change.run);
  return existing(change.outcome === "unknown_run" ? undefined : change.run);
}

function known(record: WorkflowRecord | undefined): WorkflowRecord {
  if (record === undefined) throw new ApiProblem("workflow_not_found");
  return record;
}

/**
 * Returns what starts runs. A run gets the correlation id of its request unless it names one, and joins the trace of its request.
 */
function createStartRunHandler(workflows: Workflows): ApiHandler<"startRun"> {
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
