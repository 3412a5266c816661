import { setTimeout as delay } from "node:timers/promises";
import {
  type ErrorKind,
  type FailedRun,
  type RunProblem,
  type RunProblemKind,
  type TaskProgress,
  type WorkflowRun,
  type WorkflowStepRecord,
  ZoneError,
} from "@crosszone/contracts";
import type { Emit } from "@crosszone/service-kit";
import { retryTransient } from "@crosszone/sql";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { progressOf, type ReadRun, type RunStates, runSleepOf, type Workflows } from "@crosszone/workflow";
import type { AgentProgress } from "../agent.ts";
import { saysOf, zoneKindOf } from "../result-answer.ts";

/** Starts and watches runs for tasks. Retries while the database is unreachable. */
export function createTaskRuns(workflows: Workflows, emit: Emit<ExecutionEvent>) {
  const canceling = new Set<Promise<unknown>>();

  /**
   * Retries idempotent work until it succeeds. Rejects with the signal's reason, or with an error that a retry can't
   * fix.
   */
  async function retry<T>(operation: "start" | "watch", signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    try {
      const onRetry = (cause: unknown): void => emit("task_run_unreachable", { operation, cause });
      return await retryTransient(work, { budgetMs: Infinity, signal, onRetry });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  }

  /** Cancels an unwanted run. Never throws: if it fails, the run ends at its deadline, which is that of its task. */
  function cancel(runId: string): void {
    const canceled = retryTransient(() => workflows.cancel(runId))
      .catch((cause: unknown) => emit("task_run_unreachable", { operation: "cancel", cause }))
      .finally(() => canceling.delete(canceled));
    canceling.add(canceled);
  }

  /** Waits for the pending cancellations. */
  const stop = async (): Promise<void> => void (await Promise.all(canceling));

  return { retry, cancel, stop };
}

/** The most steps reported. The contract allows no more (`task-progress.schema.json`). */
const mostSteps = 50;

/** Pause between reads of a run that doesn't exist yet, or that ended while its task has not; milliseconds. */
const pauseMs = 500;

/** Returns the task's progress from its run, also after the run has ended. */
export function taskProgressOf({ run, record }: RunStates): TaskProgress {
  const steps = progressOf(run.definition, record);
  const more = steps.length - mostSteps;
  return { revision: run.revision, steps: steps.slice(0, mostSteps), more: more > 0 ? more : undefined };
}

/** Reports the progress of tasks whose run has the task's id. Reads the run, whichever process executes it. */
export function createRunProgress({ states, waitForRun }: Workflows): AgentProgress {
  // A run sleeps if those that it waits for do, too.
  async function asleepUntil(runId: string): Promise<number | undefined> {
    const found = await states(runId);
    const sleep = found && runSleepOf(found.run.definition, found.record);
    if (sleep === undefined) return undefined;
    const inner = await Promise.all(sleep.runs.map(asleepUntil));
    const asleep = inner.filter((until) => until !== undefined);
    return asleep.length < inner.length ? undefined : Math.min(sleep.until, ...asleep);
  }

  return {
    asleepUntil,

    read: async (taskId) => {
      const found = await states(taskId);
      return found && taskProgressOf(found);
    },

    waitForNewer: async (taskId, seen, signal) => {
      while (!signal.aborted) {
        const standing = await waitForRun(taskId, { since: seen, signal });
        // The task ends with its run, and the waiting caller receives that end.
        if (standing !== undefined && !standing.hasEnded) return;
        await delay(pauseMs, undefined, { signal }).catch(() => undefined);
      }
    },
  };
}

const kinds = {
  agent_failed: "agent_failed",
  input_denied: "agent_failed",
  // Nobody failed: an operator took the request back.
  input_withdrawn: "canceled",
  step_timed_out: "timeout",
  run_timed_out: "timeout",
  // The agent's or person's data doesn't fit the workflow: another question may work.
  mapping_failed: "agent_failed",
  condition_failed: "agent_failed",
  collection_invalid: "agent_failed",
  run_too_large: "agent_failed",
  join_failed: "agent_failed",
  step_failed: "agent_failed",
  canceled: "canceled",
  internal: "internal",
} satisfies Record<RunProblemKind, ErrorKind>;

/**
 * Converts a failed run into the zone link's error. It names the failed agent, or else the workflow, and the progress
 * and step of the run, and has the agent's own words.
 */
export function runFailure(found: ReadRun): ZoneError {
  const { workflow_id, state, error, steps } = found.run;
  const failed = steps.find(({ path }) => path === error?.path);
  const kind = state === "canceled" ? "canceled" : state === "timed_out" ? "timeout" : kindOf(error);
  const data = {
    agent: failed?.agent_name ?? workflow_id,
    agent_says: kind === "agent_failed" ? saysOf(error?.agent_error?.data) : undefined,
    failed_run: failedRunOf(found.run, failed),
    progress: taskProgressOf(found),
  };
  return new ZoneError(kind, data, { cause: new WorkflowRunError(state, error) });
}

function failedRunOf({ workflow_id, state, error }: WorkflowRun, failed: WorkflowStepRecord | undefined): FailedRun {
  const reason = error?.kind ?? (state === "canceled" ? "canceled" : "internal");
  return { workflow: workflow_id, reason, step: failed?.title ?? failed?.step_id };
}

function kindOf(error: RunProblem | undefined): ErrorKind {
  if (error === undefined) return "internal";
  const { kind, agent_error } = error;
  const zoneKind = agent_error === undefined ? kinds[kind] : zoneKindOf(agent_error.kind);
  // The requester asked for the workflow, not for that agent, and the workflow exists.
  return zoneKind === "unknown_agent" ? "agent_unavailable" : zoneKind;
}

/** Why a run failed, for the log. */
class WorkflowRunError extends Error {
  override readonly name = "WorkflowRunError";

  constructor(state: WorkflowRun["state"], error: RunProblem | undefined) {
    const place = error?.path === undefined ? "the run" : `the step "${error.path}"`;
    super(error === undefined ? `the run is ${state}` : `${place} (${error.kind}): ${error.message}`);
  }
}
