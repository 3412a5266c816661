import { randomUUID } from "node:crypto";
import { type AppendAudit, type Author, authorAct } from "@crosszone/audit";
import type { ExecutionColumn } from "@crosszone/agent-calls";
import type { BulkAction, BulkActionKind, StartBulkActionRequest } from "@crosszone/contracts";
import { createRoom, type End, type JobContext, type JobWorker, type LeasedJob } from "@crosszone/jobs";
import type { Purge } from "@crosszone/service-kit";
import { errorText, isoTime } from "@crosszone/service-kit/text";
import { columnText, now } from "@crosszone/sql";
import { type Selectable, sql } from "kysely";
import type { ExecutionDatabase, ZoneJobs } from "../store/open-execution-database.ts";
import type { BulkActionTable } from "../store/tables.ts";

/** The kind of jobs that work on bulk actions. */
const bulkActionKind = "bulk_action";

/** Does it with one item. Returns why it left the item alone, or nothing; throws when it could not. */
type ActOnItem = (id: string, by: Author) => Promise<string | undefined>;

interface BulkActionDeps {
  readonly database: ExecutionDatabase;
  readonly jobs: ZoneJobs;
  readonly append: AppendAudit;
  readonly acts: Readonly<Record<BulkActionKind, ActOnItem>>;
  /** How long a bulk action is kept after its end, milliseconds. */
  readonly retentionMs: number;
}

type Row = Selectable<BulkActionTable>;
type Problem = NonNullable<BulkAction["problems"]>[number];

/** How many bulk actions a process works on at the same time, how many a list has, and how long a reason is, characters. */
const [mostAtOnce, mostListed, mostReason] = [2, 100, 300];

const worked = ({ done, skipped, failed }: Row): number => done + skipped + failed;

/** Stores bulk actions, and works on them in any process of the zone. */
export class BulkActions {
  readonly #deps: BulkActionDeps;
  /** The worker of this process. */
  readonly worker: JobWorker<LeasedJob<ExecutionColumn>>;

  constructor(deps: BulkActionDeps) {
    this.#deps = deps;
    this.worker = deps.jobs.workOn({
      kind: bulkActionKind,
      ...createRoom(mostAtOnce),
      read: (row) => row,
      run: ({ id }, context) => this.#work(id, context),
    });
  }

  /** Starts a bulk action. A second start with the same key of the same author returns the first, if it asks the same. */
  async start(asked: StartBulkActionRequest, by: Author, key?: string): Promise<BulkAction | "key_reused"> {
    const { database, jobs, append } = this.#deps;
    const { db, engine, transaction } = database;
    const { action } = asked;
    const ids = [...new Set(asked.ids)];
    const id = randomUUID();
    const { address = "", client = "" } = by.from ?? {};
    const begun = { id, action, actor: by.actor, address, client, ids: JSON.stringify(ids), total: ids.length };
    const counts = { done: 0, skipped: 0, failed: 0, problems: "[]", stopping: 0 };
    const request_key = key === undefined ? null : columnText(`${by.actor} ${key}`);
    await transaction(async (tx) => {
      const added = await tx
        .insertInto("bulk_action")
        .values({ ...begun, ...counts, request_key, created_at: now(engine) })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (added.numInsertedOrUpdatedRows !== 1n) return;
      const job = { id, kind: bulkActionKind, share: bulkActionKind, record: "{}", as: "ready" } as const;
      await tx.executeQuery(jobs.store.queries.add(job));
      const details = { action, items: ids.length };
      await append(tx, [authorAct(by, { action: "bulk.start", target: { type: "bulk_action", id }, details })]);
    });
    jobs.lookFor(bulkActionKind);
    const all = db.selectFrom("bulk_action").selectAll();
    const stored = request_key === null ? all.where("id", "=", id) : all.where("request_key", "=", request_key);
    const row = await stored.executeTakeFirstOrThrow();
    return row.action === action && row.ids === begun.ids ? shownAction(row) : "key_reused";
  }

  /** Stops a bulk action before its next item. Returns it; undefined for an unknown one. */
  async stop(id: string, by: Author): Promise<BulkAction | undefined> {
    const { database, append } = this.#deps;
    await database.transaction(async (tx) => {
      const one = tx.updateTable("bulk_action").set({ stopping: 1 }).where("id", "=", columnText(id));
      const stopped = await one.where("ended_at", "is", null).where("stopping", "=", 0).executeTakeFirst();
      const target = { type: "bulk_action", id };
      if (stopped.numUpdatedRows > 0n) await append(tx, [authorAct(by, { action: "bulk.stop", target })]);
    });
    return this.find(id);
  }

  async find(id: string): Promise<BulkAction | undefined> {
    const row = await this.#row(id);
    return row && { ...shownAction(row), problems: JSON.parse(row.problems) as Problem[] };
  }

  /** Returns the latest, newest first, without their problems. */
  async list(): Promise<readonly BulkAction[]> {
    const { db } = this.#deps.database;
    const latest = db.selectFrom("bulk_action").select(shownColumns).orderBy("created_at", "desc").orderBy("id");
    return (await latest.limit(mostListed).execute()).map(shownAction);
  }

  readonly purge: Purge = {
    table: "bulk_action",
    purge: async (most) => {
      const { database, retentionMs } = this.#deps;
      const before = sql<number>`${now(database.engine)} - ${retentionMs}`;
      const old = database.db.selectFrom("bulk_action").select("id").where("ended_at", "<", before).limit(most);
      const gone = await database.db.deleteFrom("bulk_action").where("id", "in", old).executeTakeFirst();
      return Number(gone.numDeletedRows);
    },
  };

  #row(id: string): Promise<Row | undefined> {
    const { db } = this.#deps.database;
    return db.selectFrom("bulk_action").selectAll().where("id", "=", columnText(id)).executeTakeFirst();
  }

  /** Works on the items that are left, one after the other. Another process can continue after any of them. */
  async #work(id: string, { signal, onlyWaits }: JobContext<ExecutionColumn>): Promise<End<ExecutionColumn>> {
    onlyWaits();
    const { db, engine } = this.#deps.database;
    const row = await this.#row(id);
    if (row === undefined) return { remove: "deleted" };
    const items = JSON.parse(row.ids) as string[];
    while (row.stopping === 0 && worked(row) < items.length) {
      signal.throwIfAborted();
      const outcome = await this.#actOn(row, items[worked(row)] as string);
      if (!(await this.#record(row, outcome))) return { release: { counted: false, afterMs: 1_000 } };
    }
    await db
      .updateTable("bulk_action")
      .set({ ended_at: now(engine) })
      .where("id", "=", id)
      .execute();
    return { remove: row.stopping === 0 ? "finished" : "stopped" };
  }

  async #actOn({ id: correlationId, action, actor, address, client }: Row, id: string): Promise<"done" | Problem> {
    const by: Author = { actor, correlationId, from: { address, client } };
    try {
      const leftAlone = await this.#deps.acts[action as BulkActionKind](id, by);
      return leftAlone === undefined ? "done" : { id, outcome: "skipped", reason: leftAlone };
    } catch (error) {
      return { id, outcome: "failed", reason: errorText(error).slice(0, mostReason) };
    }
  }

  /** Stores the outcome of the next item. Returns false when another process has stored it. */
  async #record(row: Row, outcome: "done" | Problem): Promise<boolean> {
    const at = worked(row);
    if (outcome !== "done") row.problems = JSON.stringify([...(JSON.parse(row.problems) as Problem[]), outcome]);
    row[outcome === "done" ? outcome : outcome.outcome] += 1;
    const { id, done, skipped, failed, problems } = row;
    const stored = await this.#deps.database.db
      .updateTable("bulk_action")
      .set({ done, skipped, failed, ...(outcome !== "done" && { problems }) })
      .where("id", "=", id)
      .where(sql<number>`done + skipped + failed`, "=", at)
      .returning("stopping")
      .executeTakeFirst();
    row.stopping = stored?.stopping ?? 1;
    return stored !== undefined;
  }
}

const shownColumns = [
  "id",
  "action",
  "actor",
  "total",
  "done",
  "skipped",
  "failed",
  "stopping",
  "created_at",
  "ended_at",
] as const;

function shownAction(row: Pick<Row, (typeof shownColumns)[number]>): BulkAction {
  const { id, action, actor, total, done, skipped, failed, stopping, created_at, ended_at } = row;
  const [open, ended] = stopping === 0 ? (["running", "finished"] as const) : (["stopping", "stopped"] as const);
  return {
    bulk_action_id: id,
    action: action as BulkActionKind,
    state: ended_at === null ? open : ended,
    total,
    done,
    skipped,
    failed,
    created_by: actor,
    created_at: isoTime(created_at),
    ended_at: ended_at === null ? undefined : isoTime(ended_at),
  };
}
