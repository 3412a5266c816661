import { hash, randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { MessageHeaders } from "@crosszone/bus";
import {
  isRunId,
  type ParamProblem,
  type StartRunRequest,
  type WorkflowDefinition,
  type WorkflowRunSummary,
} from "@crosszone/contracts";
import { columnText, patiently } from "@crosszone/sql";
import { checkInputOnThread } from "../definition/definitions-on-thread.ts";
import { bytesOf } from "../run/bytes-of.ts";
import { newRun } from "../run/run-record.ts";
import type { RunReading } from "../store/run-reading.ts";
import type { RunRow } from "../store/run-row.ts";
import { summaryOf, summaryOfRun } from "../store/run-summary.ts";
import { runContext, type RunOrigin, type StoredRun } from "../store/stored-run.ts";
import type { VersionStore } from "../store/version-store.ts";
import { createStoreNewRun, type StoreNewRunDeps } from "./store-new-runs.ts";
import type { WorkflowLimits } from "./workflow-limits.ts";

export interface StartRunOptions {
  /** Any text that makes a request which is sent again the same; of one caller, so put the caller's name in. */
  readonly idempotencyKey?: string;
  /** Names the run; who sends the same request with the same name again means the same run. Takes the place of the key. */
  readonly runId?: string;
  /** Of all messages of the run: `data-owner` says whose it is, `traceparent` what it belongs to. */
  readonly headers?: MessageHeaders;
}

/** What became of a request for a run. */
export type StartedRun =
  | { readonly outcome: "started" | "repeated"; readonly run: WorkflowRunSummary }
  | { readonly outcome: "unknown_workflow" }
  /** The input is not what the workflow's schema asks for. */
  | { readonly outcome: "invalid_input"; readonly problems: readonly ParamProblem[] }
  /** The idempotency key, or the run's id, was that of another request. */
  | { readonly outcome: "key_reused" };

export type StartRun = (request: StartRunRequest, options?: StartRunOptions) => Promise<StartedRun>;

export interface StartDeps extends StoreNewRunDeps, RunReading {
  readonly versions: Pick<VersionStore, "find">;
  readonly limits: WorkflowLimits;
  /** The consumer group that gets the results of the run's tasks. */
  readonly group: string;
}

/** How long it is tried while the database cannot be reached, milliseconds. */
const patienceMs = 1_000;

/** Takes requests for runs: one that is sent again finds the run that it began, one that cannot be run is told why. */
export function createStartRun(deps: StartDeps): StartRun {
  const { database, codec, planOf, versions, limits, group } = deps;

  const store = createStoreNewRun(deps);

  return async (request, { idempotencyKey, runId, headers = {} } = {}) => {
    if (runId !== undefined && !isRunId(runId))
      throw new TypeError("a run's id is of 1 to 64 letters, digits, - and _, and begins with a letter or a digit");
    const reach = <T>(operation: () => Promise<T>): Promise<T> => patiently(operation, { budgetMs: patienceMs });
    // Of runs with an id of their caller's no other has to be found, so that one order is enough to add all in.
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
      headers: { ...headers, "reply-to": group },
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
    // Begun again with the same id, so that a commit whose answer was lost is found.
    const stored = await reach(() => store({ run, requestKey, definition: found.text }));
    if (stored) return { outcome: "started", run: summaryOfRun(stored) };
    const other = await reach(() => findRun(run_id, requestKey));
    if (other === undefined) throw new Error("the run was not stored, and nothing stands in its way; start it again");
    const isOwn = runId === undefined && other.run_id === run_id;
    return isOwn ? { outcome: "started", run: summaryOf(other, codec) } : repeated(other, request);
  };

  function tooLarge(bytes: number, most: number): ParamProblem {
    return { pointer: "", message: `must be smaller: it is ${bytes} bytes, and a run may hold ${most}` };
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
    // As it was stored: JSON has no -0.
    const asked = JSON.parse(JSON.stringify(input)) as unknown;
    const isSame = row.workflow_id === workflow_id && row.version === version && isDeepStrictEqual(known, asked);
    return isSame ? { outcome: "repeated", run: summaryOf(row, codec) } : { outcome: "key_reused" };
  }
}
