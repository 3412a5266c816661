import { PlanFault, WorkflowFault } from "../mapping/workflow-fault.ts";
import { stepOf } from "../state/run-plan.ts";
import type { StepRecord } from "../state/run-record.ts";
import { stepIdOf, taskIdOf } from "../state/step-path.ts";
import type { Started, Starting } from "../steps/step-kind.ts";
import { agentOf, kindOf } from "../steps/step-kinds.ts";
import { allowItems, allowStep } from "./most-steps.ts";
import { addBytes, failStep, put, type RunDraft } from "./run-draft.ts";
import { collectionOf, scopeAt } from "./scope-at.ts";
import type { WalkOptions } from "./walk-options.ts";

/**
 * Timeout for all conditions and mappings of one event, milliseconds. Thousands may be due, and they block the process. PostgreSQL ends a
 * transaction that is idle for ten seconds, and the event would be retried forever.
 */
const mostStartingMs = 8_000;

/** Starts a step, or restarts it after a retry. Returns undefined when the run has reached its maximum of concurrent tasks. */
export function startStep(draft: RunDraft, path: string, { capAt }: WalkOptions): StepRecord | undefined {
  const step = stepOf(draft.definition, stepIdOf(path));
  if (agentOf(step) !== undefined && draft.tasks.size >= draft.limits.max_running) return undefined;
  if (!draft.steps.has(path)) allowStep(draft);
  if (draft.startingMs > mostStartingMs)
    throw new PlanFault(
      `Conditions and mappings took longer than ${String(mostStartingMs)} ms together. Simplify them.`,
    );
  const { count, is_true, attempt = 1 } = draft.steps.get(path) ?? {};
  const record = put(draft, path, {
    state: "running",
    attempt,
    started_at: draft.at,
    ...(is_true !== undefined && { is_true }),
    ...(count !== undefined && { count }),
  });
  const began = performance.now();
  try {
    const started = kindOf(step).start(step, startingOf(draft, path, record));
    return applyStart(draft, path, { record, started, capAt });
  } catch (error) {
    if (error instanceof WorkflowFault) return failStep(draft, path, { kind: error.kind, message: error.message });
    throw error;
  } finally {
    draft.startingMs += performance.now() - began;
  }
}

function startingOf(draft: RunDraft, path: string, record: StepRecord): Starting {
  const { expressions } = draft.plan;
  return {
    record,
    at: draft.at,
    limits: draft.limits,
    resolve: (mapping) => expressions.resolve(mapping, scopeAt(draft, path)),
    evaluate: (expression) => expressions.evaluate(expression, scopeAt(draft, path)),
    items: () => collectionOf(draft, path),
  };
}

interface Start {
  readonly record: StepRecord;
  readonly started: Started;
  readonly capAt: number;
}

function applyStart(draft: RunDraft, path: string, { record, started, capAt }: Start): StepRecord {
  const { call, ...members } = started;
  if (members.count !== undefined) allowItems(draft, members.count);
  if (call) {
    const excess = addBytes(draft, `The input of the step "${stepIdOf(path)}"`, call.input);
    if (excess) return failStep(draft, path, excess);
    const { attempt } = record;
    const taskId = taskIdOf(draft.before.run_id, path, attempt);
    const deadline = Math.min(members.due_at ?? Infinity, capAt);
    draft.tasks.set(taskId, path);
    const command = { type: "dispatch", task_id: taskId, path, step_id: stepIdOf(path), attempt } as const;
    draft.dispatches.set(taskId, { ...command, ...call, deadline });
  }
  return Object.keys(members).length === 0 ? record : put(draft, path, { ...record, ...members });
}
