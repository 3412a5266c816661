import type { TaskState } from "@crosszone/contracts";
import { jobStates } from "@crosszone/jobs";
import type { Vault } from "@crosszone/service-kit";
import { columnText, createGroupCommit, retryBriefly, rowsStatement } from "@crosszone/sql";
import { sql } from "kysely";
import type { ExecutionDatabase } from "../../database/open-execution-database.ts";
import { isFinal, type ProgramAsk, type Task, taskKind } from "../task.ts";
import { createTaskCodec, isTaskId, taskColumns, type TaskRow } from "./task-codec.ts";

/** A program's task as it is stored. */
export interface StoredAsk extends Task {
  readonly ask: ProgramAsk;
  /** Unix milliseconds. */
  readonly created_at: number;
  /** When its state last changed, Unix milliseconds. */
  readonly changed_at: number;
}

/** A place in a list of tasks: that of its last task. */
export interface ListPlace {
  readonly changedAt: number;
  readonly taskId: string;
}

/** Filters of a list of tasks. */
export interface AskFilter {
  readonly agent: string;
  readonly contextId?: string | undefined;
  readonly states?: readonly TaskState[] | undefined;
  /** Unix milliseconds, inclusive. */
  readonly changedSince?: number | undefined;
}

/** Reads the tasks of programs. */
export interface AskedTasks {
  /** Returns a program's own task; undefined for any other. */
  readonly find: (actor: string, taskId: string) => Promise<StoredAsk | undefined>;
  /** Returns tasks, the last changed first, and how many match. */
  readonly list: (
    actor: string,
    filter: AskFilter,
    page: { readonly limit: number; readonly after?: ListPlace | undefined },
  ) => Promise<{ readonly tasks: readonly StoredAsk[]; readonly total: number }>;
  /** Returns how many of a program's tasks have not ended. */
  readonly openCount: (actor: string) => Promise<number>;
}

const changedText = "coalesce(ended_at, changed_at, created_at)";
const changedAt = sql.raw<number>(changedText);

const foundColumns = [...taskColumns.map((name) => `job.${name}`), "asker", "created_at"].join(", ");
const selectTasks = rowsStatement({
  columns: { id: "text" },
  text: (rows) => `select ${foundColumns}, ${changedText} as last_change from ${rows} join job on job.id = new.id
    where kind = '${taskKind}'`,
});

export function createAskedTasks({ db, engine, prepared }: ExecutionDatabase, vault: Vault | undefined): AskedTasks {
  const codec = createTaskCodec(vault);
  const ofActor = (actor: string) =>
    db.selectFrom("job").where("kind", "=", taskKind).where("asker", "=", columnText(actor));
  const columns = [...taskColumns, "created_at", changedAt.as("last_change")] as const;

  function matching(actor: string, { agent, contextId, states, changedSince }: AskFilter) {
    let found = ofActor(actor).where("name", "=", columnText(agent));
    if (contextId !== undefined) found = found.where("context", "=", columnText(contextId));
    if (changedSince !== undefined) found = found.where(changedAt, ">=", changedSince);
    return states === undefined ? found : found.where((eb) => eb.or(states.map(hasState)));
  }

  // Concurrent requests share a query, which begins after all of them.
  const findRow = createGroupCommit(async (ids: readonly string[]) => {
    const given = [...new Set(ids)].map((id) => ({ id }));
    const rows = await retryBriefly(() => selectTasks<FoundTask>(prepared, engine, given));
    return ids.map((id) => rows.find((row) => row.id === id));
  });

  return {
    find: async (actor, taskId) => {
      const row = isTaskId(taskId) ? await findRow(taskId) : undefined;
      return row?.asker === columnText(actor) ? storedAsk(row) : undefined;
    },

    list: (actor, filter, { limit, after }) =>
      retryBriefly(async () => {
        let page = matching(actor, filter).select(columns);
        if (after !== undefined)
          page = page.where(sql<boolean>`(${changedAt}, id) < (${after.changedAt}, ${after.taskId})`);
        const rows = await page.orderBy(changedAt, "desc").orderBy("id", "desc").limit(limit).execute();
        const counted = matching(actor, filter).select(({ fn }) => fn.countAll<number>().as("total"));
        return { tasks: rows.map(storedAsk), total: (await counted.executeTakeFirstOrThrow()).total };
      }),

    openCount: (actor) =>
      retryBriefly(async () => {
        const open = ofActor(actor).where("state", "<", jobStates.ended);
        const { open: count } = await open
          .select(({ fn }) => fn.countAll<number>().as("open"))
          .executeTakeFirstOrThrow();
        return count;
      }),
  };

  function storedAsk({ created_at, last_change: changed_at, ...row }: TaskRow & Times) {
    return { ...codec.taskOf(row), created_at, changed_at } as StoredAsk;
  }
}

interface Times {
  readonly created_at: number;
  readonly last_change: number;
}

type FoundTask = TaskRow & Times & { readonly asker: string | null };

function hasState(state: TaskState) {
  if (isFinal(state)) return sql<boolean>`(state = ${sql.lit(jobStates.ended)} and outcome = ${state})`;
  const isPaused = sql`(state = ${sql.lit(jobStates.ready)} and paused is not null)`;
  return state === "input_required"
    ? sql<boolean>`${isPaused}`
    : sql<boolean>`(state < ${sql.lit(jobStates.ended)} and not ${isPaused})`;
}
