import type { AgentResult, WorkflowDefinition } from "@crosszone/contracts";
import { newRun, type RunLimits, type RunPlan, type RunRecord } from "../steps/run-record.ts";
import type { DispatchCommand, Reduction, TimedEvent } from "../run/run-events.ts";
import { createExpressions } from "../expressions/condition.ts";
import { conditionAnswer, type ConditionAnswer, type EvaluateCondition } from "../expressions/answer-conditions.ts";
import { reduce } from "../run/reduce.ts";

/** Applies an event to a run as an engine does, with its conditions evaluated at once. */
export function reduceNow(plan: RunPlan, run: RunRecord, event: TimedEvent): Reduction {
  const answers = new Map<string, ConditionAnswer>();
  for (;;) {
    const asks = new Map<string, EvaluateCondition>();
    const reduction = reduce(plan, run, { event, conditions: { answers, asks } });
    if (asks.size === 0 || reduction.fault !== undefined) return reduction;
    for (const [key, evaluate] of asks) answers.set(key, conditionAnswer(evaluate));
  }
}

export const generousLimits: RunLimits = {
  deadline_ms: 60_000,
  step_timeout_ms: 5000,
  max_running: 100,
  max_bytes: 10_000_000,
};

interface PlayOptions {
  readonly definition: WorkflowDefinition;
  readonly input?: unknown;
  readonly limits?: Partial<RunLimits>;
  /** Receives each event with the run before and after it. */
  readonly onReduced?: (before: RunRecord, event: TimedEvent, reduction: Reduction) => void;
}

export type PlayedRun = ReturnType<typeof playRun>;

/** Plays a run with fake agents and a fake clock. */
export function playRun({ definition, input = {}, limits, onReduced }: PlayOptions) {
  const plan: RunPlan = { definition, input, expressions: createExpressions() };
  let at = 1000;
  let run = newRun({ run_id: "run-1", at, input, limits: { ...generousLimits, ...limits } });
  const open = new Map<string, DispatchCommand>();
  const dispatched: DispatchCommand[] = [];
  const canceled: string[] = [];
  const send = (event: TimedEvent): Reduction => {
    const reduction = reduceNow(plan, run, event);
    const before = run;
    run = reduction.run;
    for (const command of reduction.commands) {
      if (command.type === "dispatch") dispatched.push(command);
      if (command.type === "dispatch") open.set(command.task_id, command);
      if (command.type === "cancel") canceled.push(command.task_id);
      if (command.type === "cancel") open.delete(command.task_id);
    }
    onReduced?.(before, event, reduction);
    return reduction;
  };
  /** Returns the open task of a step by its path. Throws if no agent has it. */
  const taskOf = (path: string): DispatchCommand => {
    const task = [...open.values()].find((each) => each.path === path);
    if (!task) throw new Error(`No agent has a task of "${path}"; they have ${[...open.keys()].join(", ")}.`);
    return task;
  };
  const answer = (result: AgentResult): Reduction => {
    open.delete(result.task_id);
    return send({ type: "result_received", at, result });
  };
  return {
    run: () => run,
    /** Tasks that agents are working on, in the order of dispatch. */
    tasks: (): readonly DispatchCommand[] => [...open.values()],
    /** All tasks. */
    dispatched,
    /** Ids of tasks. */
    canceled,
    now: () => at,
    send,
    taskOf,
    start: () => send({ type: "run_started", at }),
    succeed: (path: string, output: unknown = { from: path }) => answer(resultOf(taskOf(path), { output })),
    fail: (path: string, message = `The agent of ${path} said no.`) => answer(resultOf(taskOf(path), { message })),
    /** Advances the clock, milliseconds, and sends `time_passed`. */
    pass: (ms: number) => {
      at += ms;
      return send({ type: "time_passed", at });
    },
    cancel: () => send({ type: "cancel_requested", at }),
    retry: () => send({ type: "retry_requested", at }),
  };
}

/** Plays a run that has started. */
export function startedRun(options: PlayOptions): PlayedRun {
  const played = playRun(options);
  played.start();
  return played;
}

/** Returns the result of a task: a failure if a message is given. */
export function resultOf(
  { task_id }: { readonly task_id: string },
  { message, output = null }: { readonly message?: string; readonly output?: unknown },
): AgentResult {
  return {
    run_id: "run-1",
    task_id,
    status: message === undefined ? "SUCCESS" : "FAILURE",
    output_data: message === undefined ? output : null,
    correlation_id: "c-1",
    error_message: message ?? null,
    timestamp: "2026-01-01T00:00:00Z",
  };
}

/** Returns the states of a run's steps by path. */
export function statesOf(run: RunRecord): Readonly<Record<string, string>> {
  return Object.fromEntries([...run.steps].map(([path, step]) => [path, step.state]));
}
