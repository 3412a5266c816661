import type { CallHeaders } from "@crosszone/agent-calls";
import type { WorkflowDefinition } from "@crosszone/contracts";
import type { RecordCodec } from "@crosszone/service-kit";
import { createExpressions } from "../expressions/condition.ts";
import { hasEnded, type RunLimits, type RunPlan, type RunRecord } from "../steps/run-record.ts";
import { recently } from "../within-time.ts";

/** The immutable part of a run besides its definition and input. */
export interface RunOrigin {
  readonly correlation_id: string;
  readonly headers: CallHeaders;
  readonly limits: RunLimits;
  readonly requester?: RunRequester;
  /** Of a run that a step of another started: how many runs are around it. Its id is that of the step's job. */
  readonly depth?: number | undefined;
  /** Of such a run, and of one that can start others: the id of the first run around it, whose tree counts them all. */
  readonly tree_id?: string | undefined;
  /** The run with that step, unless this one outlives it. */
  readonly parent_id?: string | undefined;
}

/** The task that waits for a run, and its requester and place as Slack ids, with the requester's name; the requester of a run of the API is its token. */
export interface RunRequester {
  readonly task_id?: string;
  readonly requester?: string;
  /** How a run without a task began; the API when absent. */
  readonly origin?: string;
  readonly team_id?: string;
  readonly channel?: string;
  readonly thread_ts?: string;
  readonly name?: string | undefined;
}

export interface StoredRun {
  readonly plan: RunPlan;
  readonly record: RunRecord;
  readonly revision: number;
  /** The revision in which its state last changed. */
  readonly stateRevision: number;
  /** The last request of a person that changed it. */
  readonly lastRequest: string | null;
  readonly origin: RunOrigin;
  readonly team: string | null;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** Approximate memory use. */
  readonly bytes: number;
}

/** Returns the encryption context of a run's column. A sealed value can't be decrypted in another place. */
export const runContext = (column: "input" | "output" | "error" | "requester", runId: string): string =>
  `workflow_run ${column} ${runId}`;

/** Identifies one attempt of a step instance. */
export interface StepKey {
  readonly run_id: string;
  readonly path: string;
  readonly attempt: number;
}

/** Returns the encryption context of a step's column. */
export const stepContext = (column: "input" | "output" | "error", { run_id, path, attempt }: StepKey): string =>
  `workflow_step ${column} ${run_id} ${path} ${String(attempt)}`;

/** The functions needed to build a run from its rows. */
export interface RunReading {
  readonly codec: RecordCodec;
  /** Returns the plan of a definition's JSON. */
  readonly planOf: (definition: string) => Omit<RunPlan, "input">;
}

/** Number of cached plans, the most recently used. Many runs share a definition. */
const mostPlans = 50;

/** Parses definitions, mappings and conditions once for all their runs. */
export function createPlans(): RunReading["planOf"] {
  return recently(mostPlans, (text) => ({
    definition: JSON.parse(text) as WorkflowDefinition,
    expressions: createExpressions(),
  }));
}

/** Cache of open runs as this process last stored them. If another process has changed a run, its revision differs and the caller reads it. */
export class RunCache {
  readonly #runs = new Map<string, StoredRun>();
  readonly #mostBytes: number;
  #bytes = 0;

  /** `mostBytes`: about how much memory the runs may use together. The runs that were stored longest ago are evicted first. */
  constructor(mostBytes = 4_000_000) {
    this.#mostBytes = mostBytes;
  }

  get(row: { readonly run_id: string; readonly revision: number; readonly created_at: number }): StoredRun | undefined {
    const run = this.#runs.get(row.run_id);
    // A new run can have the id of a deleted one.
    return run?.revision === row.revision && run.createdAt === row.created_at ? run : undefined;
  }

  /** Returns a run as this process last stored it. Another process may have changed it since. */
  latest(runId: string): StoredRun | undefined {
    return this.#runs.get(runId);
  }

  drop(runId: string): void {
    this.#bytes -= this.#runs.get(runId)?.bytes ?? 0;
    this.#runs.delete(runId);
  }

  /** Only for committed runs. */
  put(run: StoredRun): void {
    const { run_id } = run.record;
    this.drop(run_id);
    if (hasEnded(run.record)) return;
    this.#runs.set(run_id, run);
    this.#bytes += run.bytes;
    for (const [oldest] of this.#runs) {
      if (this.#bytes <= this.#mostBytes) break;
      this.drop(oldest);
    }
  }
}
