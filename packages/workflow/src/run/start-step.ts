import type { AgentStep, ConditionalStep, LoopStep, RunProblem } from "@crosszone/contracts";
import { PlanFault } from "../plan-fault.ts";
import { WorkflowFault } from "../workflow-fault.ts";
import { allowItems, allowStep } from "./most-steps.ts";
import { addBytes, failStep, put, type RunDraft } from "./run-draft.ts";
import { stepOf } from "./run-plan.ts";
import type { StepRecord } from "./run-record.ts";
import { collectionOf, scopeAt } from "./scope-at.ts";
import { stepIdOf, taskIdOf } from "./step-path.ts";
import type { WalkOptions } from "./walk-options.ts";

/** Default maximum of a loop's items. */
const mostItems = 1000;

/**
 * Timeout for all conditions and mappings of one event, milliseconds. Thousands may be due, and they block the process. PostgreSQL ends a
 * transaction that is idle for ten seconds, and the event would be retried forever.
 */
const mostStartingMs = 8_000;

/** Starts a step, or restarts it after a retry. Returns undefined when the run has reached its maximum of concurrent tasks. */
export function startStep(draft: RunDraft, path: string, { capAt }: WalkOptions): StepRecord | undefined {
  const step = stepOf(draft.definition, stepIdOf(path));
  if (step.type === "agent" && draft.tasks.size >= draft.limits.max_running) return undefined;
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
    if (step.type === "agent") return dispatch(draft, path, { step, record, capAt });
    if (step.type === "conditional" && is_true === undefined) return decide(draft, path, { step, record });
    if (step.type === "loop" && count === undefined) return countItems(draft, path, { step, record });
    return record;
  } finally {
    draft.startingMs += performance.now() - began;
  }
}

interface Starting<Step> {
  readonly step: Step;
  readonly record: StepRecord;
}

function dispatch(
  draft: RunDraft,
  path: string,
  starting: Starting<AgentStep> & { readonly capAt: number },
): StepRecord {
  const { capAt, record, step } = starting;
  let input: unknown;
  try {
    input = draft.plan.expressions.resolve(step.input_mapping, scopeAt(draft, path)) ?? null;
  } catch (error) {
    return failStep(draft, path, problemOf(error));
  }
  const excess = addBytes(draft, `The input of the step "${step.id}"`, input);
  if (excess) return failStep(draft, path, excess);
  const dueAt = draft.at + (step.timeout_ms ?? draft.limits.step_timeout_ms);
  const { attempt } = record;
  const taskId = taskIdOf(draft.before.run_id, path, attempt);
  draft.tasks.set(taskId, path);
  draft.dispatches.set(taskId, {
    type: "dispatch",
    task_id: taskId,
    path,
    step_id: step.id,
    attempt,
    agent_name: step.agent_name,
    input,
    deadline: Math.min(dueAt, capAt),
  });
  return put(draft, path, { ...record, due_at: dueAt });
}

function decide(draft: RunDraft, path: string, { step, record }: Starting<ConditionalStep>): StepRecord {
  try {
    const isTrue = draft.plan.expressions.evaluate(step.condition.expression, scopeAt(draft, path));
    return put(draft, path, { ...record, is_true: isTrue });
  } catch (error) {
    return failStep(draft, path, problemOf(error));
  }
}

function countItems(draft: RunDraft, path: string, { step, record }: Starting<LoopStep>): StepRecord {
  try {
    const most = step.loop_config.max_iterations ?? mostItems;
    const count = collectionOf(draft, path).length;
    if (count <= most) {
      allowItems(draft, count);
      return put(draft, path, { ...record, count });
    }
    const message = `The collection of the loop "${step.id}" has ${String(count)} items; at most ${String(most)} are allowed.`;
    return failStep(draft, path, { kind: "collection_invalid", message });
  } catch (error) {
    return failStep(draft, path, problemOf(error));
  }
}

/** Returns the problem of a faulty plan. Throws any other error on. */
function problemOf(error: unknown): Pick<RunProblem, "kind" | "message"> {
  if (error instanceof WorkflowFault) return { kind: error.kind, message: error.message };
  throw error;
}
