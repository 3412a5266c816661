import {
  type ApiPart,
  ApiProblem,
  type AskedFor,
  type ApiHandlers,
  invalidBody,
  ApiReply,
  serveApi,
} from "@crosszone/admin-api";
import type { WorkflowRecord, WorkflowRunSummary } from "@crosszone/contracts";
import { graphOf } from "../run/run-graph.ts";
import type { RunChangeResult, Workflows } from "../runner/create-workflows.ts";
import type { RunSize } from "../store/run-reader.ts";
import { createStartRunHandler } from "./start-run-route.ts";
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

/** Returns the part of the API that stores workflows, starts runs, and shows them. */
export function createWorkflowRoutes(deps: WorkflowRoutesDeps): ApiPart {
  return serveApi("workflow", { ...workflowHandlers(deps.workflows), ...runHandlers(deps) });
}

type OfRuns =
  | "publishEvent"
  | "listRuns"
  | "startRun"
  | "getRun"
  | "getRunGraph"
  | "listStepAttempts"
  | "watchRun"
  | "cancelRun"
  | "retryRun";

/** At most `maxWatchers` clients watch runs at the same time. */
function runHandlers(deps: WorkflowRoutesDeps): Pick<ApiHandlers<"workflow">, OfRuns> {
  const { workflows, maxWatchers = 200 } = deps;
  const measure = async (runId: string): Promise<RunSize> => existing(await workflows.sizeOf(runId));
  return {
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
  };
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

function workflowHandlers(workflows: Workflows): Omit<ApiHandlers<"workflow">, OfRuns> {
  function known(record: WorkflowRecord | undefined): WorkflowRecord {
    if (record === undefined) throw new ApiProblem("workflow_not_found");
    return record;
  }

  return {
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
  };
}
