import { hash, randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import {
  isRunId,
  type ParamProblem,
  type StartRunRequest,
  type WorkflowDefinition,
  type WorkflowRunSummary,
} from "@crosszone/contracts";
import type { CallHeaders } from "@crosszone/jobs";
import { columnText, retryTransient } from "@crosszone/sql";
import { checkInputOnThread } from "../definition/definitions-on-thread.ts";
import { bytesOf } from "../run/bytes-of.ts";
import { newRun } from "../run/run-record.ts";
import type { RunReading } from "../store/run-reading.ts";
import type { RunRow } from "../store/run-row.ts";
import { summaryOf, summaryOfRun } from "../store/run-summary.ts";
import { runContext, type RunOrigin, type StoredRun } from "../store/stored-run.ts";
import type { VersionStore } from "../store/version-store.ts";
import { createStoreNewRun } from "./store-new-runs.ts";
import type { StoreTurnsDeps } from "./store-turns.ts";
import type { WorkflowLimits } from "./workflow-limits.ts";

export interface StartRunOptions {
  /** A repeated request with the same key returns the same run. Must include the caller's name, because keys are global. */
  readonly idempotencyKey?: string;
  /** Chosen by the caller; a repeated request with the same id returns the same run. Replaces the key. */
  readonly runId?: string;
  /** Headers of all calls of the run: `data-owner` is its owner, `traceparent` its trace. */
  readonly headers?: CallHeaders;
}

/** The outcome of a request to start a run. */
export type StartedRun =
  | { readonly outcome: "started" | "repeated"; readonly run: WorkflowRunSummary }
  | { readonly outcome: "unknown_workflow" }
  /** The input does not match the workflow's schema. */
  | { readonly outcome: "invalid_input"; readonly problems: readonly ParamProblem[] }
  /** The idempotency key or the run id was used for another request. */
  | { readonly outcome: "key_reused" };

export type StartRun = (request: StartRunRequest, options?: StartRunOptions) => Promise<StartedRun>;

export interface StartDeps extends StoreTurnsDeps, RunReading {
  readonly versions: Pick<VersionStore, "find">;
  readonly limits: WorkflowLimits;
}

/** Says that workflows receive the results of a run's calls. */
const replyTo = "workflow";

/** How long the start is retried while the database is unreachable, milliseconds. */
const patienceMs = 1_000;

/** Returns a function that starts runs. A repeated request returns the run of the first one. An invalid request returns its problems. */
export function createStartRun(deps: StartDeps): StartRun {
  const { database, codec, planOf, versions, limits } = deps;

  const store = createStoreNewRun(deps);

  return async (request, { idempotencyKey, runId, headers = {} } = {}) => {
    if (runId !== undefined && !isRunId(runId))
      throw new TypeError("runId must have 1 to 64 letters, digits, - and _, and begin with a letter or a digit");
    const reach = <T>(operation: () => Promise<T>): Promise<T> => retryTransient(operation, { budgetMs: patienceMs });
    // Runs with a caller's id share no key, so that inserting them in one order is enough to avoid deadlocks.
    const hasKey = idempotencyKey !== undefined && runId === undefined;
    const requestKey = hasKey ? hash("sha256", idempotencyKey, "base64url") : null;
    const { input = {} } = request;
    const known = await reach(() => findRun(runId, requestKey));
    if (known) return repeated(known, request);
    const found = await reach(() => versions.find(request.workflow_id, request.version));
    if (found === undefined) return { outcome: "unknown_workflow" };
    const bytes = bytesOf(input);
    const { input_schema } = found.definition;
    const problems =
      bytes > limits.maxRunBytes
        ? [tooLarge(bytes, limits.maxRunBytes)]
        : input_schema && (await checkInputOnThread(input_schema, input));
    if (problems && problems.length > 0) return { outcome: "invalid_input", problems };

    const run_id = runId ?? randomUUID();
    const origin: RunOrigin = {
      correlation_id: request.correlation_id ?? run_id,
      headers: { ...headers, "reply-to": replyTo },
      limits: {
        deadline_ms: deadlineOf(found.definition, request),
        step_timeout_ms: limits.stepTimeoutMs,
        max_running: limits.maxRunning,
        max_bytes: limits.maxRunBytes,
      },
    };
    const { "data-owner": team } = headers;
    const run: StoredRun = {
      plan: { ...planOf(found.text), input },
      record: newRun({ run_id, at: 0, input, limits: origin.limits }),
      revision: 0,
      stateRevision: 0,
      lastRequest: null,
      origin,
      team: team === undefined ? null : columnText(team),
      createdAt: 0,
      bytes: found.text.length + bytes,
    };
    // Retried with the same id, so that a commit whose response was lost is found.
    const stored = await reach(() => store({ run, requestKey, definition: found.text }));
    if (stored) return { outcome: "started", run: summaryOfRun(stored) };
    const other = await reach(() => findRun(run_id, requestKey));
    if (other === undefined) throw new Error("the run was not stored, and nothing conflicts with it; start it again");
    const isOwn = runId === undefined && other.run_id === run_id;
    return isOwn ? { outcome: "started", run: summaryOf(other, codec) } : repeated(other, request);
  };

  function tooLarge(bytes: number, most: number): ParamProblem {
    return { pointer: "", message: `must be smaller: it has ${bytes} bytes, and a run can have ${most}` };
  }

  function deadlineOf({ deadline_ms }: WorkflowDefinition, { deadline_ms: asked = Infinity }: StartRunRequest): number {
    return Math.min(deadline_ms ?? limits.deadlineMs, asked);
  }

  async function findRun(runId: string | undefined, key: string | null): Promise<RunRow | undefined> {
    const runs = database.db.selectFrom("workflow_run").selectAll();
    const own = runId === undefined ? undefined : await runs.where("run_id", "=", runId).executeTakeFirst();
    return own ?? (key === null ? undefined : await runs.where("request_key", "=", key).executeTakeFirst());
  }

  function repeated(row: RunRow, { workflow_id, version = row.version, input = {} }: StartRunRequest): StartedRun {
    const known = codec.fromColumn(row.input, runContext("input", row.run_id));
    // Compare as stored: JSON has no -0.
    const asked = JSON.parse(JSON.stringify(input)) as unknown;
    const isSame = row.workflow_id === workflow_id && row.version === version && isDeepStrictEqual(known, asked);
    return isSame ? { outcome: "repeated", run: summaryOf(row, codec) } : { outcome: "key_reused" };
  }
}
