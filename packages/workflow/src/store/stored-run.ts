import type { MessageHeaders } from "@crosszone/bus";
import type { RunPlan } from "../run/run-plan.ts";
import type { RunLimits, RunRecord } from "../run/run-record.ts";

/** What of a run never changes and is neither its definition nor its input. */
export interface RunOrigin {
  readonly correlation_id: string;
  /** Of the messages of its tasks. */
  readonly headers: MessageHeaders;
  readonly limits: RunLimits;
}

/** A run as the database has it. */
export interface StoredRun {
  readonly plan: RunPlan;
  readonly record: RunRecord;
  readonly revision: number;
  /** The revision in which its state changed last. */
  readonly stateRevision: number;
  /** Names the request of a person that changed it last. */
  readonly lastRequest: string | null;
  readonly origin: RunOrigin;
  readonly team: string | null;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** About how much memory it takes. */
  readonly bytes: number;
}

/** What a sealed column of a run belongs to: no key opens it elsewhere. */
export const runContext = (column: "input" | "output" | "error", runId: string): string =>
  `workflow_run ${column} ${runId}`;

/** Names one attempt at one instance of a step. */
export interface StepKey {
  readonly run_id: string;
  readonly path: string;
  readonly attempt: number;
}

/** The same of a step. */
export const stepContext = (column: "input" | "output" | "error", { run_id, path, attempt }: StepKey): string =>
  `workflow_step ${column} ${run_id} ${path} ${String(attempt)}`;
