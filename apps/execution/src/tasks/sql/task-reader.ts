import {
  type ErrorKind,
  errorTable,
  type TaskFailure,
  type TaskList,
  type TaskRecord,
  type TaskState,
} from "@crosszone/contracts";
import type { ExecutionJobTable } from "@crosszone/agent-calls";
import { columnText, retryBriefly, storedBytes, withinPageBytes } from "@crosszone/sql";
import { type ExpressionBuilder, sql } from "kysely";
import { createRecordCodec, opened, isoTime } from "@crosszone/service-kit";
import type { ExecutionDatabase, ExecutionTables } from "../../database/open-execution-database.ts";
import { type NewTask, type TaskParams, taskKind } from "../task.ts";
import { hasState, isTaskId, paramsContext, taskStateOf } from "./task-codec.ts";

/** Only whether a task is paused: the model's whole thread can be in the column. */
const pausedMark = sql<string | null>`case when paused is null then null else '' end`.as("paused");

/** The columns in a list of tasks. They are never sealed. */
const shownColumns = [
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
  pausedMark,
] as const;

/** Returns a task as operators see it. */
function shownTask(
  row: Pick<ExecutionJobTable, Exclude<(typeof shownColumns)[number], object> | "paused">,
): TaskRecord {
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
    team: team ?? undefined,
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
  return { channel, team_id, user_id };
}

function failureOf(kind: ErrorKind, detail: string | null): TaskFailure {
  const { code, title } = errorTable[kind];
  return { kind, code, message: title, detail: detail ?? undefined };
}

/** Filters and page of a task list. */
interface TaskQuery {
  readonly limit: number;
  readonly offset: number;
  readonly state?: TaskState;
  readonly agent?: string;
  readonly correlationId?: string;
}

/** Reads tasks for operators, without question and answer. Uses no keys, so sealed values are omitted. */
export type TaskReader = ReturnType<typeof createSqlTaskReader>;

export function createSqlTaskReader({ db }: ExecutionDatabase) {
  return {
    /** Newest first. */
    list: (query: TaskQuery): Promise<TaskList> =>
      retryBriefly(async () => {
        const { limit, offset } = query;
        const matching = db.selectFrom("job").where(matches(query));
        const sized = matching.select(["id", storedBytes("record", "error_detail").as("bytes")]);
        const page = sized.orderBy("created_at", "desc").orderBy("id", "desc").limit(limit).offset(offset);
        const rows = await db
          .selectFrom("job")
          .select(shownColumns)
          .where(withinPageBytes("job", ["id"], page))
          .orderBy("created_at", "desc")
          .orderBy("id", "desc")
          .execute();
        const { total } = await matching
          .select(({ fn }) => fn.countAll<number>().as("total"))
          .executeTakeFirstOrThrow();
        return { tasks: rows.map(shownTask), total, limit, offset };
      }),

    /** Returns undefined when no task has this id. */
    get: async (taskId: string): Promise<TaskRecord | undefined> => {
      // A database may reject text that can't be a task id.
      if (!isTaskId(taskId)) return undefined;
      const found = db
        .selectFrom("job")
        .select([...shownColumns, "input"])
        .where("kind", "=", taskKind)
        .where("id", "=", taskId);
      const row = await retryBriefly(() => found.executeTakeFirst());
      return row && { ...shownTask(row), ...originOf(row) };
    },
  };
}

const matches =
  ({ state, agent, correlationId }: TaskQuery) =>
  (eb: ExpressionBuilder<ExecutionTables, "job">) =>
    eb.and([
      eb("kind", "=", sql.lit(taskKind)),
      ...(state === undefined ? [] : [hasState(state)]),
      ...(agent === undefined ? [] : [eb("name", "=", columnText(agent))]),
      ...(correlationId === undefined ? [] : [eb("correlation_id", "=", columnText(correlationId))]),
    ]);
