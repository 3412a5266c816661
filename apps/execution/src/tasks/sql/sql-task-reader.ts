import type { TaskState } from "@crosszone/contracts";
import { jobStates } from "@crosszone/jobs";
import { columnText, retryTransient } from "@crosszone/sql";
import { sql, type ExpressionBuilder } from "kysely";
import type { ExecutionDatabase, ExecutionTables } from "../../database/open-execution-database.ts";
import { isTaskId } from "../task-id.ts";
import type { TaskQuery, TaskReader } from "../task-reader.ts";
import { isFinal } from "../task-state.ts";
import { taskKind } from "../task-store.ts";
import { originOf, shownColumns, shownTask } from "./shown-task.ts";

/** How long an operation is retried while the database is unreachable, milliseconds. */
const patienceMs = 1_000;

export function createSqlTaskReader({ db }: Pick<ExecutionDatabase, "db">): TaskReader {
  const reach = <T>(operation: () => Promise<T>): Promise<T> => retryTransient(operation, { budgetMs: patienceMs });
  return {
    list: (query) =>
      reach(async () => {
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
      const row = await reach(() => found.executeTakeFirst());
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
