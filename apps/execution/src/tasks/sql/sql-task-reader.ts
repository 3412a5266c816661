import type { TaskList, TaskRecord, TaskState } from "@crosszone/contracts";
import { jobStates } from "@crosszone/jobs";
import { columnText, retryTransient } from "@crosszone/sql";
import { type ExpressionBuilder, sql } from "kysely";
import type { ExecutionDatabase, ExecutionTables } from "../../database/open-execution-database.ts";
import { taskKind } from "../task-store.ts";
import { isFinal } from "../task.ts";
import { originOf, shownColumns, shownTask } from "./shown-task.ts";
import { isTaskId } from "./task-row.ts";

/** Filters and page of a task list. */
interface TaskQuery {
  readonly limit: number;
  readonly offset: number;
  readonly state?: TaskState;
  readonly agent?: string;
  readonly correlationId?: string;
}

/** Reads tasks for operators, without question and answer. Uses no keys, so sealed values are omitted. */
export interface TaskReader {
  /** Newest first. */
  readonly list: (query: TaskQuery) => Promise<TaskList>;
  /** Returns undefined when no task has this id. */
  readonly get: (taskId: string) => Promise<TaskRecord | undefined>;
}

/** How long an operation is retried while the database is unreachable, milliseconds. */
const retryBudgetMs = 1_000;

export function createSqlTaskReader({ db }: Pick<ExecutionDatabase, "db">): TaskReader {
  const retried = <T>(operation: () => Promise<T>): Promise<T> =>
    retryTransient(operation, { budgetMs: retryBudgetMs });
  return {
    list: (query) =>
      retried(async () => {
        const { limit, offset } = query;
        const matching = db.selectFrom("job").where(matches(query));
        const rows = await matching
          .select(shownColumns)
          .orderBy("created_at", "desc")
          .orderBy("id", "desc")
          .limit(limit)
          .offset(offset)
          .execute();
        const { total } = await matching
          .select(({ fn }) => fn.countAll<number>().as("total"))
          .executeTakeFirstOrThrow();
        return { tasks: rows.map(shownTask), total, limit, offset };
      }),

    get: async (taskId) => {
      // A database may reject text that can't be a task id.
      if (!isTaskId(taskId)) return undefined;
      const found = db
        .selectFrom("job")
        .select([...shownColumns, "input"])
        .where("kind", "=", taskKind)
        .where("id", "=", taskId);
      const row = await retried(() => found.executeTakeFirst());
      return row && { ...shownTask(row), ...originOf(row) };
    },
  };
}

const matches =
  ({ state, agent, correlationId }: TaskQuery) =>
  (eb: ExpressionBuilder<ExecutionTables, "job">) =>
    eb.and([
      eb("kind", "=", sql.lit(taskKind)),
      ...(state === undefined ? [] : [hasState(eb, state)]),
      ...(agent === undefined ? [] : [eb("name", "=", columnText(agent))]),
      ...(correlationId === undefined ? [] : [eb("correlation_id", "=", columnText(correlationId))]),
    ]);

const hasState = (eb: ExpressionBuilder<ExecutionTables, "job">, state: TaskState) =>
  isFinal(state)
    ? eb.and([eb("state", "=", jobStates.ended), eb("outcome", "=", state)])
    : eb.and([eb("state", "<", jobStates.ended), eb.lit(state === "working")]);
