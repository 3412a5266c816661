import { hash } from "node:crypto";
import {
  callId,
  eventWaitKind,
  type ExecutionColumn,
  inputKind,
  type NewAgentCall,
  subRunKind,
} from "@crosszone/agent-calls";
import type { NewAuditEvent } from "@crosszone/audit";
import type { AgentTask } from "@crosszone/contracts";
import type { NewJob } from "@crosszone/jobs";
import type { RecordCodec } from "@crosszone/service-kit";
import { isoTime } from "@crosszone/service-kit/text";
import { columnText } from "@crosszone/sql";
import type { ConditionAnswers, ConditionAsks, EvaluateCondition } from "../expressions/answer-conditions.ts";
import { reduce } from "../run/reduce.ts";
import type { DispatchCommand, EndedCall, Reduction, RunEvent } from "../run/run-events.ts";
import type { StepAsk } from "../steps/human.ts";
import type { EventAsk } from "../steps/wait.ts";
import { topicOf } from "../store/workflow-tables.ts";
import {
  addCounts,
  changedSteps,
  nothingTaken,
  type RunRecord,
  stepIdOf,
  type TreeCount,
  type TreeRoom,
} from "../steps/run-record.ts";
import { leafKindOf } from "../steps/step-kinds.ts";
import type { StepChange } from "../store/run-row.ts";
import type { RunRequester, StoredRun } from "../store/stored-run.ts";

export type TaskOfRun = Pick<AgentTask, "run_id" | "task_id" | "correlation_id">;

/** The members that are stored without a key. */
export interface RunInputRecord {
  /** Unique for each attempt of the step. Its `callId` is the id of the job and of the input request. */
  readonly task: TaskOfRun;
  readonly step_id: string;
  readonly workflow_id: string;
}

/** What a step of a run asks: of people, or of what works on its kind of job. */
export interface RunInput<Ask = StepAsk> extends RunInputRecord, RunRequester {
  readonly ask: Ask;
}

/** What a step asks when its job is created. `team`: a digest, as in the run's row. */
interface NewRunInput extends RunInput<unknown> {
  readonly kind: string;
  readonly share: string;
  readonly team: string | null;
  readonly deadlineMs: number;
}

/** The context that seals what a step asks. */
export const askContext = (id: string): string => `input ask ${id}`;

/** Returns the job of a step that calls no agent. Its end, like that of a call, is the step's result (`endCall`). */
export function runInputJob(
  { kind, share, task, step_id, workflow_id, team, deadlineMs, ...asked }: NewRunInput,
  codec: RecordCodec,
): NewJob<ExecutionColumn> {
  const id = callId(task);
  return {
    id,
    kind,
    share,
    parent: task.run_id,
    team,
    record: JSON.stringify({ task, step_id, workflow_id } satisfies RunInputRecord),
    input: codec.toColumn(asked, askContext(id)),
    deadlineMs,
    as: "ready",
    own: {
      name: columnText(workflow_id),
      correlation_id: columnText(task.correlation_id),
      context: kind === eventWaitKind ? topicOf(asked.ask as EventAsk) : null,
    },
  };
}

/** Returns the run and step of a job of the kind `input`; undefined for the job of a task. */
export function runInputRecordOf({ record }: { readonly record: string }): RunInputRecord | undefined {
  const read = JSON.parse(record) as Partial<RunInputRecord>;
  return read.task === undefined ? undefined : (read as RunInputRecord);
}

/** Returns what the job of a run asks. Throws a `SealedTextError` if no key decrypts it. */
export function runInputOf<Ask = StepAsk>(
  job: { readonly id: string; readonly record: string; readonly input: string | null },
  codec: RecordCodec,
): RunInput<Ask> {
  const asked = codec.fromColumn(job.input ?? "null", askContext(job.id)) as RunRequester & { readonly ask: Ask };
  return { ...(JSON.parse(job.record) as RunInputRecord), ...asked };
}

export interface RunItem {
  readonly runId: string;
  readonly event: RunEvent;
  /** The conditions that were evaluated for this event. */
  readonly answers: ConditionAnswers;
  /** The act of a person or program that the event is, for the audit log. */
  readonly act?: NewAuditEvent | undefined;
}

/** Events that are applied to a run together, and their result. */
export interface Turn {
  readonly items: readonly RunItem[];
  readonly before: StoredRun;
  readonly after: RunRecord;
  /** Each changed step attempt once, in its latest state. */
  readonly steps: readonly StepChange[];
  /** The calls that end because their results were applied. */
  readonly ended: readonly EndedCall[];
  readonly calls: readonly NewAgentCall[];
  readonly inputs: readonly NewRunInput[];
  /** Tasks at agents that are no longer needed. */
  readonly canceled: readonly TaskOfRun[];
  /** Those whose jobs find out that they are no longer needed, and end what they began. */
  readonly withdrawn: readonly TaskOfRun[];
  /** Those whose jobs end with the turn. */
  readonly dropped: readonly TaskOfRun[];
  /** Items that changed the run; also repeated requests whose first occurrence did. */
  readonly changing: ReadonlySet<RunItem>;
  /** The last request that changed the run. */
  readonly lastRequest: string | null;
  /** What it takes of its tree, and gives back. */
  readonly taken: TreeCount;
  readonly fault?: unknown;
  /** The conditions that the events need. Set if nothing was applied because their answers are not known. */
  readonly asks?: ConditionAsks;
}

export interface AppliedEvent {
  readonly run: StoredRun;
  /** False when the event was late or repeated, or its call was lost. */
  readonly hasChanged: boolean;
  /** Set while the event waits for the answers of these conditions, and nothing was applied. */
  readonly asks?: ConditionAsks;
}

/**
 * Applies events to a run in order, or none of them if a condition has no answer. `at`: now, Unix milliseconds. `room`: of its tree, if that counts
 * more runs.
 */
export function turnOf(
  before: StoredRun,
  items: readonly RunItem[],
  { at, room }: { readonly at: number; readonly room?: TreeRoom | undefined },
): Turn {
  const conditions = {
    answers: new Map(items.flatMap(({ answers }) => [...answers])),
    asks: new Map<string, EvaluateCondition>(),
  };
  const steps = new Map<string, StepChange>();
  const calls = new Map<string, NewAgentCall>();
  const inputs = new Map<string, NewRunInput>();
  const canceled: TaskOfRun[] = [];
  const withdrawn: TaskOfRun[] = [];
  const dropped: TaskOfRun[] = [];
  const ended: EndedCall[] = [];
  const changing = new Set<RunItem>();
  let { record: after, lastRequest } = before;
  let fault: unknown;
  let taken = nothingTaken;
  for (const item of items) {
    const { request, call, ...event }: RunEvent & { readonly request?: string; readonly call?: EndedCall } = item.event;
    if (request !== undefined && request === lastRequest) {
      changing.add(item);
      continue;
    }
    const reduction = reduce(before.plan, after, {
      event: { ...event, at },
      conditions,
      room: room && { ...room, ...addCounts(room, taken, -1) },
    });
    if (conditions.asks.size > 0 && reduction.fault === undefined)
      return { ...turnOf(before, [], { at, room }), items, asks: conditions.asks };
    addSteps(steps, after, reduction);
    for (const command of reduction.commands) {
      if (command.type === "end") continue;
      const { task_id, path } = command;
      const kind = leafKindOf(before.plan.definition, stepIdOf(path))?.job;
      if (command.type === "dispatch") {
        if (kind !== undefined) inputs.set(task_id, inputOf(command, before, { kind, at }));
        else calls.set(task_id, callOf(command, before, at));
        // A call that an earlier event of this turn created is never stored.
      } else if (!calls.delete(task_id) && !inputs.delete(task_id)) {
        const list = kind === undefined ? canceled : kind === inputKind || kind === subRunKind ? withdrawn : dropped;
        list.push(taskOf(task_id, before));
      }
    }
    fault ??= reduction.fault;
    if (reduction.run === after) continue;
    taken = addCounts(taken, reduction.taken);
    changing.add(item);
    if (call) ended.push(call);
    lastRequest = request ?? lastRequest;
    after = reduction.run;
  }
  const added = { steps: [...steps.values()], calls: [...calls.values()], inputs: [...inputs.values()] };
  return { items, before, after, ...added, ended, canceled, withdrawn, dropped, changing, lastRequest, taken, fault };
}

export const hasChanged = ({ before, after }: Turn): boolean => before.record !== after;

/** Returns the outcome of each item of a turn, after which the run is `run`. */
export const outcomesOf = ({ items, changing, asks }: Turn, run: StoredRun): (readonly [RunItem, AppliedEvent])[] =>
  items.map((item) => [item, { run, hasChanged: changing.has(item), asks }]);

/** Adds the steps that a reduction changed. A dispatched step has its input in the command. */
function addSteps(steps: Map<string, StepChange>, before: RunRecord, { run, commands }: Reduction): void {
  const dispatches = commands.filter((command) => command.type === "dispatch");
  const given = new Map(dispatches.map(({ path, task_id, input }) => [path, { task_id, input }]));
  for (const [path, step] of changedSteps(before, run)) {
    const key = JSON.stringify([path, step.attempt]);
    steps.set(key, { path, step, given: given.get(path) ?? steps.get(key)?.given });
  }
}

const taskOf = (task_id: string, { record: { run_id }, origin: { correlation_id } }: StoredRun): TaskOfRun => ({
  run_id,
  task_id,
  correlation_id,
});

function inputOf(
  { task_id, step_id, input, deadline }: DispatchCommand,
  run: StoredRun,
  { kind, at }: { readonly kind: string; readonly at: number },
): NewRunInput {
  const { plan, origin, team } = run;
  const { workflow_id } = plan.definition;
  const { name: _name, ...place } = origin.requester ?? {};
  const task = taskOf(task_id, run);
  const share = kind === inputKind ? kind : shareOfTree(kind, run);
  return { kind, share, task, step_id, workflow_id, ask: input, ...place, team, deadlineMs: deadline - at };
}

/** How many shares the trees of a caller have together. Each share is found anew whenever jobs are taken. */
const sharesOfCaller = 16;

/** Returns the share of a tree's jobs of a kind: after the kind its caller, so that all of a caller's have room together, and a number. */
function shareOfTree(kind: string, { origin: { requester, tree_id }, record: { run_id } }: StoredRun): string {
  const caller = hash("sha256", JSON.stringify([requester?.team_id, requester?.requester])).slice(0, 12);
  const number = parseInt(hash("sha256", tree_id ?? run_id).slice(0, 8), 16) % sharesOfCaller;
  return `${kind} ${caller}.${String(number)}`;
}

/** Returns the call of a step; `at` in Unix milliseconds. */
function callOf(
  { task_id, agent_name = "", input, deadline }: DispatchCommand,
  run: StoredRun,
  at: number,
): NewAgentCall {
  const times = { timestamp: isoTime(at), deadline: isoTime(deadline) };
  return {
    task: { ...taskOf(task_id, run), agent_name, input_data: input, ...times },
    headers: run.origin.headers,
    deadlineMs: deadline - at,
    parent: run.record.run_id,
  };
}
