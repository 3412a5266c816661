import { errorTable, type ErrorKind, type TaskFailure, type TaskRecord } from "@crosszone/contracts";
import { createRecordCodec, isoTime } from "@crosszone/service-kit";
import type { NewTask, TaskParams } from "../task.ts";
import type { ExecutionJobTable } from "@crosszone/jobs";
import { opened, paramsContext, taskStateOf } from "./task-row.ts";

/** The columns in a list of tasks. They are never sealed. */
export const shownColumns = [
  "id",
  "state",
  "outcome",
  "attempt",
  "created_at",
  "deadline_at",
  "ended_at",
  "team",
  "error_kind",
  "error_detail",
  "record",
] as const;

/** Returns a task as operators see it. */
export function shownTask(row: Pick<ExecutionJobTable, (typeof shownColumns)[number]>): TaskRecord {
  const { id, attempt, created_at, deadline_at, ended_at, team, error_kind, error_detail, record } = row;
  const { caller, agent, correlation_id } = JSON.parse(record) as NewTask;
  return {
    task_id: id,
    state: taskStateOf(row),
    caller,
    agent,
    correlation_id,
    attempts: attempt,
    ...(error_kind !== null && { error: failureOf(error_kind as ErrorKind, error_detail) }),
    created_at: isoTime(created_at),
    deadline: isoTime(deadline_at ?? created_at),
    ...(ended_at !== null && { ended_at: isoTime(ended_at) }),
    ...(team !== null && { team }),
  };
}

const withoutKey = createRecordCodec(undefined);

/** Returns the requester, channel and team of a task; undefined when they are deleted or sealed. */
export function originOf({
  id,
  input,
}: Pick<ExecutionJobTable, "id" | "input">): Pick<TaskRecord, "team_id" | "channel" | "user_id"> {
  if (input === null) return {};
  const asked = opened(() => withoutKey.fromColumn(input, paramsContext(id))) as TaskParams | undefined;
  if (asked === undefined) return {};
  const { team_id, channel, user_id } = asked;
  return { channel, ...(team_id !== undefined && { team_id }), ...(user_id !== undefined && { user_id }) };
}

function failureOf(kind: ErrorKind, detail: string | null): TaskFailure {
  const { code, title } = errorTable[kind];
  return { kind, code, message: title, ...(detail !== null && { detail }) };
}
