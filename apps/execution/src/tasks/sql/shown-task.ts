import { errorTable, type TaskRecord } from "@crosszone/contracts";
import { createRecordCodec } from "@crosszone/service-kit";
import type { NewTask, TaskParams } from "../task.ts";
import { opened, paramsContext } from "./task-row.ts";
import type { TaskTable } from "./task-table.ts";

/** The columns in a list of tasks. They are never sealed. */
export const shownColumns = [
  "task_id",
  "state",
  "attempt",
  "created_at",
  "deadline_at",
  "finished_at",
  "team",
  "error_kind",
  "record",
] as const;

/** Returns a task as operators see it. */
export function shownTask(row: Pick<TaskTable, (typeof shownColumns)[number]>): TaskRecord {
  const { task_id, state, attempt, created_at, deadline_at, finished_at, team, error_kind, record } = row;
  const { caller, agent, correlation_id } = JSON.parse(record) as NewTask;
  return {
    task_id,
    state,
    caller,
    agent,
    correlation_id,
    attempts: attempt,
    ...(error_kind !== null && { error: failureOf(error_kind) }),
    created_at: timestamp(created_at),
    deadline: timestamp(deadline_at),
    ...(finished_at !== null && { ended_at: timestamp(finished_at) }),
    ...(team !== null && { team }),
  };
}

const withoutKey = createRecordCodec(undefined);

/** Returns the requester, channel and team of a task; undefined when they are deleted or sealed. */
export function originOf({
  task_id,
  params,
}: Pick<TaskTable, "task_id" | "params">): Pick<TaskRecord, "team_id" | "channel" | "user_id"> {
  if (params === null) return {};
  const asked = opened(() => withoutKey.fromColumn(params, paramsContext(task_id))) as TaskParams | undefined;
  if (asked === undefined) return {};
  const { team_id, channel, user_id } = asked;
  return { channel, ...(team_id !== undefined && { team_id }), ...(user_id !== undefined && { user_id }) };
}

function failureOf(kind: NonNullable<TaskTable["error_kind"]>): NonNullable<TaskRecord["error"]> {
  const { code, title } = errorTable[kind];
  return { kind, code, message: title };
}

const timestamp = (ms: number): string => new Date(ms).toISOString();
