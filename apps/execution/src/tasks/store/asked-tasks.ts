import type { TaskState } from "@crosszone/contracts";
import { jobStates } from "@crosszone/jobs";
import type { Vault } from "@crosszone/service-kit";
import { columnText, createGroupCommit, retryBriefly, rowsStatement } from "@crosszone/sql";
import { type RawBuilder, sql } from "kysely";
import type { ExecutionDatabase } from "../../store/open-execution-database.ts";
import { type ProgramAsk, type Task, taskKind } from "../task.ts";
import { createTaskCodec, hasState, isTaskId, type TaskRow } from "./task-codec.ts";

/** A program's task without its content: the question, the outcome, and how it continues after a pause. */
export interface FoundAsk extends Omit<Task, "params" | "outcome" | "paused"> {
  readonly ask: ProgramAsk;
  /** Unix milliseconds. */
  readonly created_at: number;
  /** When its state last changed, Unix milliseconds. */
  readonly changed_at: number;
  /** Size of its content. */
  readonly bytes: number;
  /** Whether it waits for people. A paused task whose requests are all closed is about to continue. */
  readonly waits: boolean;
  /** The whole task, if it was found by its id and is small. */
  readonly whole?: StoredAsk;
}

/** A program's task as it is stored. */
export type StoredAsk = FoundAsk & Task;

/** A place in a list of tasks: that of its last task. */
export interface ListPlace {
  readonly changedAt: number;
  readonly taskId: string;
}

export interface AskFilter {
  readonly agent?: string;
  readonly contextId?: string | undefined;
  readonly states?: readonly TaskState[] | undefined;
  /** Unix milliseconds, inclusive. */
  readonly changedSince?: number | undefined;
}

const changedText = "coalesce(ended_at, changed_at, created_at)";
const changedAt = sql.raw<number>(changedText);
const pausedText = `(job.state = ${jobStates.ready} and job.paused is not null)`;
const waitsText = `(${pausedText} and exists (
  select 1 from input_request where input_request.task_id = job.id and input_request.state = 'open'))`;
/** Neither engine reads a long value to get its size. */
const bytesText = "coalesce(job.bytes, 0) + coalesce(octet_length(job.paused), 0)";

const found = {
  id: "job.id",
  state: "job.state",
  outcome: "job.outcome",
  record: "job.record",
  asker: "job.asker",
  created_at: "job.created_at",
  last_change: changedText,
  bytes: bytesText,
  is_paused: `case when ${pausedText} then 1 else 0 end`,
  waits: `case when ${waitsText} then 1 else 0 end`,
} as const;
const foundText = Object.entries(found)
  .map(([name, text]) => `${text} as ${name}`)
  .join(", ");
const foundColumns = Object.entries(found).map(([name, text]) => sql.raw(text).as(name));

interface FoundRow extends Pick<TaskRow, "id" | "state" | "outcome" | "record"> {
  readonly asker: string | null;
  readonly created_at: number;
  readonly last_change: number;
  readonly bytes: number;
  readonly is_paused: number;
  readonly waits: number;
}
type AskedByProgram = Task & { readonly ask: ProgramAsk };

/** The most content that is read with its task, bytes: less than a request itself may have. */
const smallBytes = 16_000;
const ifSmall = (name: string): string => `case when ${bytesText} <= ${smallBytes} then job.${name} end as ${name}`;

const selectFound = rowsStatement({
  columns: { id: "text" },
  text: (rows) => `select ${foundText}, ${["input", "output", "paused"].map(ifSmall).join(", ")}
    from ${rows} join job on job.id = new.id where kind = '${taskKind}'`,
});
const selectContent = rowsStatement({
  columns: { id: "text", size: "bigint" },
  text: (rows) => `select ${foundText}, job.input, job.output, job.paused from ${rows} join job on job.id = new.id
    where kind = '${taskKind}' and ${bytesText} <= new.size`,
});

/** Whether a task is in a state as its program sees it: it waits only while people are asked. */
function isShownAs(state: TaskState): RawBuilder<boolean> {
  if (state === "input_required") return sql.raw(waitsText);
  return state === "working" ? sql.raw(`(job.state < ${jobStates.ended} and not ${waitsText})`) : hasState(state);
}

export type AskedTasks = ReturnType<typeof createAskedTasks>;

export function createAskedTasks({ db, engine, prepared }: ExecutionDatabase, vault: Vault | undefined) {
  const codec = createTaskCodec(vault);
  // Only tasks have an asker.
  const ofActor = (actor: string) => db.selectFrom("job").where("asker", "=", columnText(actor));

  function matching(actor: string, { agent, contextId, states, changedSince }: AskFilter) {
    let tasks = ofActor(actor);
    if (agent !== undefined) tasks = tasks.where("name", "=", columnText(agent));
    if (contextId !== undefined) tasks = tasks.where("context", "=", columnText(contextId));
    if (changedSince !== undefined) tasks = tasks.where(changedAt, ">=", changedSince);
    return states === undefined ? tasks : tasks.where((eb) => eb.or(states.map(isShownAs)));
  }

  // Concurrent requests share a query, which begins after all of them.
  const findRow = createGroupCommit(async (ids: readonly string[]) => {
    const given = [...new Set(ids)].map((id) => ({ id }));
    const rows = await retryBriefly(() => selectFound<FoundRow & TaskRow>(prepared, engine, given));
    return ids.map((id) => rows.find((row) => row.id === id));
  });

  const foundOf = (row: FoundRow): FoundAsk => {
    const task = wholeOf({ ...row, input: null, output: null, paused: null });
    return row.is_paused === 1 ? { ...task, state: "input_required" } : task;
  };
  const wholeOf = (row: FoundRow & Pick<TaskRow, "input" | "output" | "paused">): StoredAsk => {
    const { created_at, last_change: changed_at, bytes, waits } = row;
    return { ...(codec.taskOf(row) as AskedByProgram), created_at, changed_at, bytes, waits: waits === 1 };
  };

  return {
    /** Returns a program's own task; undefined for any other. */
    find: async (actor: string, taskId: string): Promise<FoundAsk | undefined> => {
      const row = isTaskId(taskId) ? await findRow(taskId) : undefined;
      if (row?.asker !== columnText(actor)) return undefined;
      if (row.bytes > smallBytes) return foundOf(row);
      const whole = wholeOf(row);
      return { ...whole, whole };
    },

    /** Returns tasks, the last changed first, and how many match. */
    list: (
      actor: string,
      filter: AskFilter,
      { limit, after }: { readonly limit: number; readonly after?: ListPlace | undefined },
    ) =>
      retryBriefly(async () => {
        let page = matching(actor, filter).select(foundColumns);
        if (after !== undefined)
          page = page.where(sql<boolean>`(${changedAt}, id) < (${after.changedAt}, ${after.taskId})`);
        const rows = await page.orderBy(changedAt, "desc").orderBy("id", "desc").limit(limit).execute();
        const counted = matching(actor, filter).select(({ fn }) => fn.countAll<number>().as("total"));
        const { total } = await counted.executeTakeFirstOrThrow();
        return { tasks: (rows as unknown as FoundRow[]).map(foundOf), total };
      }),

    /** Returns the tasks as they are now, with their content, except those whose content has grown. */
    read: async (tasks: readonly FoundAsk[]): Promise<readonly StoredAsk[]> => {
      const given = tasks.map(({ task_id: id, bytes: size }) => ({ id, size }));
      const rows = await retryBriefly(() => selectContent<FoundRow & TaskRow>(prepared, engine, given));
      return rows.map(wholeOf);
    },

    /** Returns how many of a program's tasks have not ended. */
    openCount: async (actor: string): Promise<number> => {
      const open = ofActor(actor).where("state", "<", jobStates.ended);
      const counted = open.select(({ fn }) => fn.countAll<number>().as("count"));
      return (await retryBriefly(() => counted.executeTakeFirstOrThrow())).count;
    },
  };
}
