import { isTrue } from "../expressions/condition-values.ts";
import { PlanFault, WorkflowFault } from "../mapping/scope.ts";
import { stepIdOf, stepOf, taskIdOf } from "../state/run-plan.ts";
import type { StepRecord } from "../state/run-record.ts";
import type { Started, Starting } from "../steps/step-kind.ts";
import { kindOf } from "../steps/step-kinds.ts";
import { addBytes, failStep, put, type RunEdit } from "./run-edit.ts";
import { collectionOf, scopeAt } from "./scope-at.ts";

/** Options of a walk through a part of a run. */
export interface WalkOptions {
  /** False where steps can only end: after a deadline, or at the limit of concurrent lanes. */
  readonly mayStart: boolean;
  /** The earliest deadline of the enclosing steps, Unix milliseconds. */
  readonly capAt: number;
  /** Nesting depth. */
  readonly depth: number;
}

/**
 * Timeout for all mappings of one event, milliseconds. Thousands may be due, and they block the process. PostgreSQL ends a transaction that
 * is idle for ten seconds, and the event would be retried forever.
 */
const mostStartingMs = 8_000;

/** The answer of a condition is not known yet. */
class Unanswered extends Error {}

/**
 * Starts a step, or restarts it after a retry. Returns undefined when the run has reached its maximum of concurrent tasks, or when the
 * answer of the step's condition is not known yet.
 */
export function startStep(edit: RunEdit, path: string, { capAt }: WalkOptions): StepRecord | undefined {
  const step = stepOf(edit.definition, stepIdOf(path));
  if (kindOf(step).form === "leaf" && edit.tasks.size >= edit.limits.max_running) return undefined;
  if (!edit.steps.has(path)) allowStep(edit);
  if (edit.startingMs > mostStartingMs)
    throw new PlanFault(`Mappings took longer than ${String(mostStartingMs)} ms together. Simplify them.`);
  const before = edit.steps.get(path);
  const { count, is_true, attempt = 1 } = before ?? {};
  const record = put(edit, path, { state: "running", attempt, started_at: edit.at, is_true, count });
  const began = performance.now();
  try {
    const started = kindOf(step).start(step, startingOf(edit, path, record));
    return applyStart(edit, path, { started, capAt });
  } catch (error) {
    if (error instanceof Unanswered) {
      if (before === undefined) edit.steps.delete(path);
      else edit.steps.set(path, before);
      return undefined;
    }
    if (error instanceof WorkflowFault) return failStep(edit, path, { kind: error.kind, message: error.message });
    throw error;
  } finally {
    edit.startingMs += performance.now() - began;
  }
}

function startingOf(edit: RunEdit, path: string, record: StepRecord): Starting {
  const { expressions } = edit.plan;
  return {
    record,
    at: edit.at,
    limits: edit.limits,
    resolve: (mapping) => expressions.resolve(mapping, scopeAt(edit, path)),
    evaluate: (expression) => {
      const key = JSON.stringify([path, record.attempt]);
      const answer = edit.conditions.answers.get(key);
      if (answer) return isTrue(answer);
      edit.conditions.asks.set(key, expressions.condition(expression, scopeAt(edit, path)));
      throw new Unanswered();
    },
    items: () => collectionOf(edit, path),
  };
}

function applyStart(
  edit: RunEdit,
  path: string,
  { started, capAt }: { readonly started: Started; readonly capAt: number },
): StepRecord {
  const { call, ...members } = started;
  const record = edit.steps.get(path) as StepRecord;
  if (members.count !== undefined) allowItems(edit, members.count);
  if (call) {
    const excess = addBytes(edit, `The input of the step "${stepIdOf(path)}"`, call.input);
    if (excess) return failStep(edit, path, excess);
    const { attempt } = record;
    const taskId = taskIdOf(edit.before.run_id, path, attempt);
    const deadline = Math.min(members.due_at ?? Infinity, capAt);
    edit.tasks.set(taskId, path);
    const command = { type: "dispatch", task_id: taskId, path, step_id: stepIdOf(path), attempt } as const;
    edit.dispatches.set(taskId, { ...command, ...call, deadline });
  }
  return Object.keys(members).length === 0 ? record : put(edit, path, { ...record, ...members });
}

/** Maximum number of step instances in a run. Nested loops could fill any memory, and each event processes all instances. */
const mostSteps = 20_000;

/** Throws when the run has reached its maximum number of steps. */
function allowStep({ steps }: RunEdit): void {
  if (steps.size >= mostSteps) throw tooMany();
}

/**
 * Throws when the items of all loops exceed the maximum number of steps, before any of them is processed. Each item has at least one step.
 */
function allowItems(edit: RunEdit, count: number): void {
  edit.items ??= Array.from(edit.steps.values()).reduce((items, step) => items + (step.count ?? 0), 0);
  edit.items += count;
  if (edit.items > mostSteps) throw tooMany();
}

const tooMany = (): PlanFault =>
  new PlanFault(`The run exceeds the maximum of ${String(mostSteps)} steps. Split it into several runs.`);
