import { type ErrorKind, errorTable, type TaskFailure, type TaskRecord, type TaskState } from "@crosszone/contracts";
import { agentCallKind, type ExecutionJobTable } from "@crosszone/agent-calls";
import { jobStates } from "@crosszone/jobs";
import { columnText, type Narrowing, narrowedTo, retryBriefly, storedBytes, withinPageBytes } from "@crosszone/sql";
import { type Expression, type ExpressionBuilder, sql, type SqlBool } from "kysely";
import { createRecordCodec, isoTime, opened, type RecordCodec, type Vault } from "@crosszone/service-kit";
import type { ExecutionDatabase } from "../../store/open-execution-database.ts";
import type { ExecutionTables } from "../../store/tables.ts";
import { type NewTask, type TaskParams, taskKind } from "../task.ts";
import { hasState, isTaskId, paramsContext, pausedMark, taskStateOf, titleContext } from "./task-codec.ts";

/** The columns in a list of tasks. Only the title can be sealed. */
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
  "title",
  pausedMark,
] as const;

/** Returns a task as operators see it. */
function shownTask(
  row: Pick<ExecutionJobTable, Exclude<(typeof shownColumns)[number], object> | "paused">,
  codec: RecordCodec,
): TaskRecord {
  const { id, attempt, created_at, deadline_at, ended_at, team, error_kind, error_detail, record, title } = row;
  const { caller, agent, correlation_id } = JSON.parse(record) as NewTask;
  return {
    task_id: id,
    state: taskStateOf(row),
    caller,
    agent,
    title: title === null ? undefined : opened(() => codec.fromColumn(title, titleContext(id)) as string),
    correlation_id,
    attempts: attempt,
    error: error_kind === null ? undefined : failureOf(error_kind as ErrorKind, error_detail),
    created_at: isoTime(created_at),
    deadline: isoTime(deadline_at ?? created_at),
    ended_at: ended_at === null ? undefined : isoTime(ended_at),
    team: team ?? undefined,
  };
}

const withoutKey = createRecordCodec(undefined);

/** Returns the requester, channel and team of a task; undefined when they are deleted or sealed. */
function originOf({ id, input }: { readonly id: string; readonly input: string | null }) {
  if (input === null) return {};
  const asked = opened(() => withoutKey.fromColumn(input, paramsContext(id))) as TaskParams | undefined;
  return { channel: asked?.channel, team_id: asked?.team_id, user_id: asked?.user_id };
}

function failureOf(kind: ErrorKind, detail: string | null): TaskFailure {
  const { code, title } = errorTable[kind];
  return { kind, code, message: title, detail: detail ?? undefined };
}

/** The place of a task in the list: when it was created, and its id. */
type TaskKey = readonly [createdAt: number, taskId: string];

interface TaskQuery extends Narrowing {
  readonly limit: number;
  /** The last task of the page before. */
  readonly cursor?: TaskKey | undefined;
  readonly state?: TaskState;
  readonly agent?: string;
  readonly correlationId?: string;
  /** Whether it has not ended; with `agent`, also the tasks that wait for a call of that agent. */
  readonly open?: boolean;
}

/** Reads tasks for operators, without question and answer, except the beginning of the question. Other sealed values are omitted. */
export type TaskReader = ReturnType<typeof createSqlTaskReader>;

export function createSqlTaskReader({ db }: ExecutionDatabase, vault?: Vault) {
  const codec = createRecordCodec(vault);
  const shown = (row: Parameters<typeof shownTask>[0]): TaskRecord => shownTask(row, codec);
  return {
    /** Returns a page, newest first, how many match on all pages, and the last task of the page unless it is the last page. */
    list: (query: TaskQuery) =>
      retryBriefly(async () => {
        const { limit, cursor } = query;
        const matching = db.selectFrom("job").where(matches(query));
        const behind = (key: TaskKey | undefined) =>
          key === undefined
            ? matching
            : matching.where(sql<boolean>`(created_at, id) < (${key[0]}, ${columnText(key[1])})`);
        const sized = behind(cursor).select(["id", storedBytes("record", "error_detail").as("bytes")]);
        const page = sized.orderBy("created_at", "desc").orderBy("id", "desc").limit(limit);
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
        const last = rows.at(-1);
        const key: TaskKey | undefined = last && [last.created_at, last.id];
        // A page of large rows ends early.
        const older = key && (await behind(key).select("id").limit(1).executeTakeFirst());
        return { tasks: rows.map(shown), total, next: older && key };
      }),

    /**
     * Returns the tasks with these references, up to `most` and the bytes of a page. Those of the zone link come first, newest first: programs
     * choose their references.
     */
    ofReferences: async (references: readonly string[], most: number): Promise<readonly TaskRecord[]> => {
      if (references.length === 0) return [];
      const named = db.selectFrom("job").where("correlation_id", "in", references.map(columnText));
      const ofKind = named.where("kind", "=", sql.lit(taskKind));
      const sized = ofKind.select(["id", storedBytes("record", "error_detail").as("bytes")]);
      const isOfProgram = sql`case when asker is null then 0 else 1 end`;
      const page = sized.orderBy(isOfProgram).orderBy("created_at", "desc").orderBy("id", "desc").limit(most);
      const found = db
        .selectFrom("job")
        .select(shownColumns)
        .where(withinPageBytes("job", ["id"], page));
      const ordered = found.orderBy(isOfProgram).orderBy("created_at", "desc").orderBy("id", "desc");
      return (await retryBriefly(() => ordered.execute())).map(shown);
    },

    get: async (taskId: string): Promise<TaskRecord | undefined> => {
      // A database may reject text that can't be a task id.
      if (!isTaskId(taskId)) return undefined;
      const found = db
        .selectFrom("job")
        .select([...shownColumns, "input"])
        .where("kind", "=", taskKind)
        .where("id", "=", taskId);
      const row = await retryBriefly(() => found.executeTakeFirst());
      return row && { ...shown(row), ...originOf(row) };
    },
  };
}

/** Whether a task asked an agent itself, or waits for an open call of it. */
function waitsFor(eb: ExpressionBuilder<ExecutionTables, "job">, agent: string) {
  const calls = eb.selectFrom("job as call").select("call.parent").where("call.kind", "=", agentCallKind);
  const open = calls.where("call.name", "=", columnText(agent)).where("call.state", "<", jobStates.ended);
  return eb.or([eb("name", "=", columnText(agent)), eb("id", "in", open)]);
}

const matches =
  ({ state, agent, correlationId, open, ...narrowing }: TaskQuery) =>
  (eb: ExpressionBuilder<ExecutionTables, "job">) => {
    const all: Expression<SqlBool>[] = [eb("kind", "=", sql.lit(taskKind))];
    if (state !== undefined) all.push(hasState(state));
    if (agent !== undefined) all.push(open === true ? waitsFor(eb, agent) : eb("name", "=", columnText(agent)));
    all.push(narrowedTo(narrowing, "id"));
    if (open !== undefined) all.push(eb("state", open ? "<" : "=", sql.lit(jobStates.ended)));
    if (correlationId !== undefined) all.push(eb("correlation_id", "=", columnText(correlationId)));
    return eb.and(all);
  };
