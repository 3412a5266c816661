import { randomUUID } from "node:crypto";
import { type AppendAudit, type Author, authorAct } from "@crosszone/audit";
import type { ExecutionColumn } from "@crosszone/agent-calls";
import type { BulkAction, BulkActionKind, StartBulkActionRequest } from "@crosszone/contracts";
import { createRoom, type End, type JobContext, type JobWorker, type LeasedJob } from "@crosszone/jobs";
import type { Purge } from "@crosszone/service-kit";
import { errorText, isoTime } from "@crosszone/service-kit/text";
import { columnText, now, purgeAfter } from "@crosszone/sql";
import { type Selectable, sql } from "kysely";
import type { ExecutionDatabase, ZoneJobs } from "../store/open-execution-database.ts";
import type { BulkActionTable } from "../store/people-tables.ts";

/** The kind of jobs that work on bulk actions. */
const bulkActionKind = "bulk_action";

/** Does it with one item. Returns why it left the item alone, or nothing; throws when it could not. */
type ActOnItem = (id: string, by: Author) => Promise<string | undefined>;

interface BulkActionDeps {
  readonly database: ExecutionDatabase;
  readonly jobs: ZoneJobs;
  readonly append: AppendAudit;
  readonly acts: Readonly<Record<BulkActionKind, ActOnItem>>;
  /** Returns why the holder with this digest can't start bulk actions any more, such as `revoked`; undefined while it can. */
  readonly whyEnded: (digest: string) => Promise<string | undefined>;
  /** How long a bulk action is kept after its end, milliseconds. */
  readonly retentionMs: number;
}

type Row = Selectable<BulkActionTable>;
type Problem = NonNullable<BulkAction["problems"]>[number];
type Outcome = Problem | { readonly outcome: "done" };

/**
 * After how many items, and after how many milliseconds, whoever started it is checked again, and what was left alone is stored. An item that
 * takes long is worked on to its end.
 */
const [checkedItems, checkedMs] = [50, 3_500];

/** How many bulk actions a process works on at the same time, how many a list has, and how long a reason is, characters. */
const [mostAtOnce, mostListed, mostReason] = [2, 100, 300];

const worked = ({ done, skipped, failed }: Row): number => done + skipped + failed;

/** Stores bulk actions, and works on them in any process of the zone. */
export class BulkActions {
  readonly #deps: BulkActionDeps;
  /** The worker of this process. */
  readonly worker: JobWorker<LeasedJob<ExecutionColumn>>;
  readonly purge: Purge;

  constructor(deps: BulkActionDeps) {
    this.#deps = deps;
    const { database, retentionMs } = deps;
    this.purge = purgeAfter(database, { table: "bulk_action", key: "id", column: "ended_at" }, retentionMs);
    this.worker = deps.jobs.workOn({
      kind: bulkActionKind,
      ...createRoom(mostAtOnce),
      read: (row) => row,
      run: ({ id }, context) => this.#work(id, context),
    });
  }

  /** Starts a bulk action. A second start with the same key of the same author returns the first, if it asks the same. `credential`: a `digest`. */
  async start(
    asked: StartBulkActionRequest,
    { by, credential, key }: { readonly by: Author; readonly credential: string; readonly key?: string | undefined },
  ): Promise<BulkAction | "key_reused"> {
    const { database, jobs, append } = this.#deps;
    const { db, engine, transaction } = database;
    const { action } = asked;
    const ids = [...new Set(asked.ids)];
    const id = randomUUID();
    const { address = "", client = "" } = by.from ?? {};
    const begun = { id, action, actor: by.actor, address, client, credential, ids: JSON.stringify(ids) };
    const counts = { total: ids.length, done: 0, skipped: 0, failed: 0, problems: "[]", stopping: 0 };
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

  /** Stops a bulk action before its next item. Returns it; undefined for an unknown one. `because`: why the zone does. */
  async stop(id: string, by: Author, because?: string): Promise<BulkAction | undefined> {
    const { database, append } = this.#deps;
    await database.transaction(async (tx) => {
      const set = { stopping: 1, stopped_because: because ?? null };
      const one = tx.updateTable("bulk_action").set(set).where("id", "=", columnText(id));
      const stopped = await one.where("ended_at", "is", null).where("stopping", "=", 0).executeTakeFirst();
      const details = because === undefined ? undefined : { because };
      const act = { action: "bulk.stop", target: { type: "bulk_action", id }, details };
      if (stopped.numUpdatedRows > 0n) await append(tx, [authorAct(by, act)]);
    });
    return this.find(id);
  }

  async find(id: string): Promise<BulkAction | undefined> {
    const row = await this.#row(id);
    if (row === undefined) return undefined;
    const more = this.#deps.database.db
      .selectFrom("bulk_problems")
      .select("problems")
      .where("bulk_action_id", "=", row.id);
    const stored = [row, ...(await more.orderBy("at").execute())];
    return { ...shownAction(row), problems: stored.flatMap(({ problems }) => JSON.parse(problems) as Problem[]) };
  }

  /** Returns the latest, newest first, without their problems. */
  async list(): Promise<readonly BulkAction[]> {
    const { db } = this.#deps.database;
    const latest = db.selectFrom("bulk_action").select(shownColumns).orderBy("created_at", "desc").orderBy("id");
    return (await latest.limit(mostListed).execute()).map(shownAction);
  }

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
    let gathered: Outcome[] = [];
    let next = { items: 0, at: 0 };
    for (let at = worked(row); ; at += 1) {
      const isOver = row.stopping !== 0 || at === items.length;
      const isDue = isOver || at >= next.items || performance.now() >= next.at;
      // What was left alone can be looked at again after a crash.
      if (isDue || gathered.at(-1)?.outcome !== "skipped") {
        if (!(await this.#record(row, gathered))) return { release: { counted: false, afterMs: 1_000 } };
        gathered = [];
      }
      if (isOver) break;
      signal.throwIfAborted();
      if (isDue) {
        await this.#checkRight(row);
        next = { items: at + checkedItems, at: performance.now() + checkedMs };
      }
      const read = await db.selectFrom("bulk_action").select("stopping").where("id", "=", id).executeTakeFirst();
      row.stopping = read?.stopping ?? 1;
      if (row.stopping === 0) gathered.push(await this.#actOn(row, items[at] as string));
    }
    const ended = db.updateTable("bulk_action").set({ ended_at: now(engine), credential: null });
    await ended.where("id", "=", id).execute();
    return { remove: row.stopping === 0 ? "finished" : "stopped" };
  }

  /** Stops a bulk action whose sender can no longer start one. */
  async #checkRight(row: Row): Promise<void> {
    const { id, credential, total } = row;
    const why = credential === null ? undefined : await this.#deps.whyEnded(credential);
    if (why === undefined) return;
    const because = `The right of the sender ended (${why}). ${total - worked(row)} of ${total} items were not done.`;
    await this.stop(id, { actor: "zone:execution", correlationId: id }, because);
  }

  async #actOn({ id: correlationId, action, actor, address, client }: Row, id: string): Promise<Outcome> {
    const by: Author = { actor, correlationId, from: { address, client } };
    try {
      const leftAlone = await this.#deps.acts[action as BulkActionKind](id, by);
      return leftAlone === undefined ? { outcome: "done" } : { id, outcome: "skipped", reason: leftAlone };
    } catch (error) {
      return { id, outcome: "failed", reason: errorText(error).slice(0, mostReason) };
    }
  }

  /** Stores the outcomes of the next items. Returns false when another process has stored them. */
  async #record(row: Row, outcomes: readonly Outcome[]): Promise<boolean> {
    if (outcomes.length === 0) return true;
    const at = worked(row);
    for (const { outcome } of outcomes) row[outcome] += 1;
    const { id, done, skipped, failed } = row;
    const problems = outcomes.filter(({ outcome }) => outcome !== "done");
    return this.#deps.database.transaction(async (tx) => {
      const stored = await tx
        .updateTable("bulk_action")
        .set({ done, skipped, failed })
        .where("id", "=", id)
        .where(sql<number>`done + skipped + failed`, "=", at)
        .returning("stopping")
        .executeTakeFirst();
      row.stopping = stored?.stopping ?? 1;
      if (stored === undefined || problems.length === 0) return stored !== undefined;
      const added = { bulk_action_id: id, at, problems: JSON.stringify(problems) };
      await tx.insertInto("bulk_problems").values(added).execute();
      return true;
    });
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
  "stopped_because",
  "created_at",
  "ended_at",
] as const;

function shownAction(row: Pick<Row, (typeof shownColumns)[number]>): BulkAction {
  const { id, action, actor, total, done, skipped, failed, stopping, stopped_because, created_at, ended_at } = row;
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
    stopped_because: stopped_because ?? undefined,
  };
}
