import type { CallHeaders } from "@crosszone/jobs";
import type { RunPlan } from "../state/run-plan.ts";
import type { RunLimits, RunRecord } from "../state/run-record.ts";

/** The immutable part of a run besides its definition and input. */
export interface RunOrigin {
  readonly correlation_id: string;
  /** Headers of its calls. */
  readonly headers: CallHeaders;
  readonly limits: RunLimits;
}

/** A run as stored. */
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
export const runContext = (column: "input" | "output" | "error", runId: string): string =>
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
