import { hash } from "node:crypto";
import type { ExecutionColumn, ExecutionJobTable } from "@crosszone/agent-calls";
import type { TaskState } from "@crosszone/contracts";
import { jobStates, type LeasedJob, type NewJob } from "@crosszone/jobs";
import {
  createRecordCodec,
  opened,
  openedHere,
  type RecordCodec,
  SealedTextError,
  type Vault,
} from "@crosszone/service-kit";
import { visibleLine } from "@crosszone/service-kit/text";
import { columnText, peopleColumn } from "@crosszone/sql";
import { type RawBuilder, sql } from "kysely";
import { teamKey } from "../../store/open-execution-database.ts";
import {
  isFinal,
  type LeasedTask,
  type NewTask,
  type OpenTask,
  type PausedTask,
  type Task,
  type TaskError,
  taskKind,
  type TaskOutcome,
  type TaskParams,
} from "../task.ts";

/** The form of task ids. https://www.rfc-editor.org/rfc/rfc9562#section-4 */
const form = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Whether a text has the form of a task id. Ids from outside may be anything, including text that databases reject. */
export const isTaskId = (id: string): boolean => form.test(id);

/**
 * Returns the digest of a caller and its key. No two pairs give the same text: the key is JSON, so its end is
 * unambiguous.
 */
export const requestKey = (caller: string, key: string): string => hash("sha256", `${key} ${caller}`, "base64url");

/** The contexts that a task's sealed columns are bound to. */
export const handleContext = (taskId: string): string => `task handle ${taskId}`;
export const paramsContext = (taskId: string): string => `task params ${taskId}`;
const pausedContext = (taskId: string): string => `task paused ${taskId}`;
export const titleContext = (taskId: string): string => `task title ${taskId}`;
export const outcomeContext = (taskId: string): string => `task outcome ${taskId}`;

/** Returns a task's constant members as JSON, which makes any text safe to store. */
function recordOf({ caller, key, fingerprint, correlation_id, traceparent, agent, ask }: NewTask): string {
  return JSON.stringify({ caller, key, fingerprint, correlation_id, traceparent, agent, ask });
}

export const taskColumns = ["id", "state", "outcome", "record", "input", "output", "paused"] as const;

/** Only whether a task is paused: the model's whole thread can be in the column. */
export const pausedMark = sql<string | null>`case when paused is null then null else '' end`.as("paused");

export type TaskRow = Pick<ExecutionJobTable, (typeof taskColumns)[number]>;

/** Returns the state of a task: how its job ended, or whether it runs. A paused task that was woken still waits until a process takes it. */
export function taskStateOf({ state, outcome, paused }: Pick<TaskRow, "state" | "outcome" | "paused">): TaskState {
  if (state === jobStates.ended) return outcome as TaskState;
  return state === jobStates.ready && paused !== null ? "input_required" : "working";
}

/** Whether a task has a state, as a condition on its job's row. No stored task is `submitted`. */
export function hasState(state: TaskState): RawBuilder<boolean> {
  if (isFinal(state)) return sql<boolean>`(state = ${sql.lit(jobStates.ended)} and outcome = ${state})`;
  if (state === "submitted") return sql<boolean>`false`;
  const isPaused = sql<boolean>`(state = ${sql.lit(jobStates.ready)} and paused is not null)`;
  return state === "input_required"
    ? isPaused
    : sql<boolean>`(state < ${sql.lit(jobStates.ended)} and not ${isPaused})`;
}

/**
 * Reads a task from its job's row. When a key is missing, a sealed question is absent; a sealed outcome throws (`isKeyMissing`), so that the
 * caller asks a process that has the key. A modified outcome becomes an `internal` error.
 */
function taskOf({ id, record, input, output, paused, ...at }: TaskRow, codec: RecordCodec): Task {
  const asked = input === null ? undefined : opened(() => codec.fromColumn(input, paramsContext(id)));
  const waits = paused === null ? undefined : opened(() => codec.fromColumn(paused, pausedContext(id)));
  const came = output === null ? undefined : openedHere(() => codec.fromColumn(output, outcomeContext(id)));
  return {
    // Never sealed, so it needs neither key nor context.
    ...(codec.fromColumn(record, "") as Task),
    task_id: id,
    state: taskStateOf({ ...at, paused }),
    paused: waits as PausedTask | undefined,
    params: asked as TaskParams | undefined,
    outcome: output === null ? undefined : ((came as TaskOutcome | undefined) ?? unreadable),
  };
}

const unreadable: TaskOutcome = { error: { kind: "internal", data: {} } };

const errorColumns = ({ kind, detail }: TaskError) => ({
  error_kind: kind,
  error_detail: detail === undefined ? null : columnText(detail),
});

/** Characters of a question that lists show. */
const longestTitle = 120;

/** Returns the beginning of a question in one line: of Slack's notation, `<@U…|Bob Carter>`, only what people see. Empty without text. */
function titleOf({ text }: TaskParams): string {
  const seen = text.slice(0, 20 * longestTitle).replaceAll(/<[^<>|]*\|([^<>]*)>/g, "$1");
  return Array.from(visibleLine(seen)).slice(0, longestTitle).join("").toWellFormed();
}

/** Returns whose data a task is: a team's, or a program's. */
function teamOf(caller: string, ask: NewTask["ask"], { team_id: team }: TaskParams): string | null {
  if (ask !== undefined) return teamKey(caller);
  return team === undefined ? null : teamKey(team);
}

/** Converts tasks to jobs and back. Seals and opens their contents when a vault is given. */
export type TaskCodec = ReturnType<typeof createTaskCodec>;

export function createTaskCodec(vault: Vault | undefined) {
  const codec = createRecordCodec(vault);

  /** Returns the handle of a task's files; undefined when it was not stored. Throws if its key is missing. */
  function openHandle(taskId: string, sealed: string | null): string | undefined {
    if (sealed === null) return undefined;
    if (vault === undefined) throw new SealedTextError("unknown_key");
    return openedHere(() => vault.open(sealed, handleContext(taskId)));
  }

  return {
    openHandle,
    taskOf: (row: TaskRow): Task => taskOf(row, codec),
    pausedColumn: (taskId: string, paused: PausedTask): string => codec.toColumn(paused, pausedContext(taskId)),
    /** Returns the columns of a task's end. */
    endOf: (taskId: string, outcome: TaskOutcome) => {
      const output = codec.toColumn(outcome, outcomeContext(taskId));
      const error = "error" in outcome ? errorColumns(outcome.error) : { error_kind: null, error_detail: null };
      return { output, own: { ...error, bytes: Buffer.byteLength(output) } };
    },

    jobOf: (asked: NewTask): NewJob<ExecutionColumn> => {
      const { task_id: id, caller, key, params, ask, ...task } = asked;
      const input = codec.toColumn(params, paramsContext(id));
      const title = titleOf(params);
      return {
        id,
        kind: taskKind,
        share: taskKind,
        key: requestKey(caller, key),
        as: "leased",
        deadlineMs: task.deadline_ms,
        team: teamOf(caller, ask, params),
        record: recordOf(asked),
        input,
        own: {
          name: columnText(task.agent),
          correlation_id: columnText(task.correlation_id),
          title: title === "" ? null : codec.toColumn(title, titleContext(id)),
          people: peopleColumn([ask === undefined ? params.user_id : caller, params.user_name]),
          asker: ask ? columnText(caller) : null,
          context: ask ? columnText(ask.context_id) : null,
          bytes: Buffer.byteLength(input),
          handle: vault === undefined || task.handle === undefined ? null : vault.seal(task.handle, handleContext(id)),
        },
      };
    },

    /** Throws if a key is missing, until the task's deadline. */
    recoveredTask: (job: LeasedJob<ExecutionColumn>): LeasedTask => {
      const { id, attempt, record, input, paused, handle: sealed, remaining_ms } = job;
      const isOver = paused === null && remaining_ms !== null && remaining_ms <= 0;
      if (!isOver && input !== null) openedHere(() => codec.fromColumn(input, paramsContext(id)));
      if (paused !== null) openedHere(() => codec.fromColumn(String(paused), pausedContext(id)));
      const handle = isOver ? undefined : openHandle(id, sealed as string | null);
      const row = { id, state: jobStates.leased, outcome: null, record, input, output: null } as const;
      const task = taskOf({ ...row, paused: paused as string | null }, codec) as OpenTask;
      return { id, attempt, task, remainingMs: task.paused?.remaining_ms ?? remaining_ms ?? 0, handle };
    },
  };
}
