import type { TaskEvent } from "@crosszone/contracts";
import { jobStates, type LeaseId } from "@crosszone/jobs";
import { createRecordCodec, type Purge, type RecordCodec, type Vault } from "@crosszone/service-kit";
import { now, purgeAfter, retryBriefly } from "@crosszone/sql";
import { sql } from "kysely";
import type { ExecutionDatabase } from "../../store/open-execution-database.ts";

/** An event of a log: text or progress. */
export type LoggedEvent = Extract<TaskEvent, { readonly type: "text" | "progress" }>;

/** Events of one run have numbers of the same thousand million. */
export const eventsPerRun = 1_000_000_000;

/** Returns the number before the first event of an event's run. */
export const runOf = (seq: number): number => Math.floor(seq / eventsPerRun) * eventsPerRun;

interface TaskLogOptions {
  readonly database: ExecutionDatabase;
  /** Returns the name of this process in its leases. */
  readonly owner: () => string;
  readonly vault?: Vault | undefined;
  readonly retentionMs: number;
}

export const eventContext = (taskId: string): string => `task event ${taskId}`;

/** The events of tasks, in one order for all readers. Only the process that has leased a task appends to its log, so a log ends with its task. */
export class TaskLog {
  readonly #options: TaskLogOptions;
  readonly #codec: RecordCodec;
  readonly purge: Purge;

  constructor(options: TaskLogOptions) {
    this.#options = options;
    this.#codec = createRecordCodec(options.vault);
    const events = { table: "task_event", key: "seq", column: "at" };
    this.purge = purgeAfter(options.database, events, options.retentionMs);
  }

  /** Appends events of a run. Returns false, and stores nothing, when this process no longer has the task's lease. */
  async append({ id, attempt }: LeaseId, events: readonly LoggedEvent[]): Promise<boolean> {
    const { database, owner } = this.#options;
    const { db, engine } = database;
    const rows = events.map((event) => {
      const columns = sql`${id}, ${event.seq}, ${now(engine)}, ${this.#codec.toColumn(event, eventContext(id))}`;
      // The lock keeps another process from taking the task before these rows are visible.
      const leased = sql`select team from job where id = ${id} and owner = ${owner()} and attempt = ${attempt}
        and state = ${sql.lit(jobStates.leased)} ${sql.raw(engine === "postgres" ? "for share" : "")}`;
      return sql`insert into task_event (task_id, seq, at, event, team) select ${columns}, team from (${leased}) as leased
        where true on conflict do nothing`.compile(db);
    });
    const counts = await retryBriefly(() => database.batch(rows));
    return counts.every(({ numAffectedRows = 0n }) => numAffectedRows > 0n);
  }

  /** Returns the events of a task's last run, in their order. */
  async readLastRun(taskId: string): Promise<readonly LoggedEvent[]> {
    const { db } = this.#options.database;
    const last = db
      .selectFrom("task_event")
      .select(({ fn }) => fn.max("seq").as("seq"))
      .where("task_id", "=", taskId);
    const { seq } = await retryBriefly(() => last.executeTakeFirstOrThrow());
    return seq === null ? [] : this.read(taskId, runOf(seq));
  }

  /** Returns a task's events after the event `seq`, in their order. */
  async read(taskId: string, seq: number): Promise<readonly LoggedEvent[]> {
    return (await this.readAll([[taskId, seq]])).get(taskId) ?? [];
  }

  /** Returns the events of several tasks, each after an event. Tasks without such events are absent. */
  async readAll(after: readonly (readonly [taskId: string, seq: number])[]): Promise<Map<string, LoggedEvent[]>> {
    const found = new Map<string, LoggedEvent[]>();
    if (after.length === 0) return found;
    const query = this.#options.database.db
      .selectFrom("task_event")
      .select(["task_id", "event"])
      .where((eb) => eb.or(after.map(([id, seq]) => eb.and([eb("task_id", "=", id), eb("seq", ">", seq)]))))
      .orderBy("task_id")
      .orderBy("seq");
    for (const { task_id, event } of await retryBriefly(() => query.execute())) {
      const events = found.get(task_id) ?? [];
      found.set(task_id, events);
      events.push(this.#codec.fromColumn(event, eventContext(task_id)) as LoggedEvent);
    }
    return found;
  }
}
