import { hash, randomUUID } from "node:crypto";
import { type AppendAudit, type Author, authorAct } from "@crosszone/audit";
import type { PublishedEvent, PublishEventRequest } from "@crosszone/contracts";
import { eventWaitKind, type ExecutionColumn } from "@crosszone/agent-calls";
import type { JobKind, ProcessJobs } from "@crosszone/jobs";
import { openedHere, type RecordCodec } from "@crosszone/service-kit";
import { isoTime } from "@crosszone/service-kit/text";
import { type Database, now, personDigest, purgeAfter, retryBriefly } from "@crosszone/sql";
import { sql, type Transaction } from "kysely";
import type { TakenEvent } from "../steps/wait.ts";
import { topicOf, type WorkflowTables } from "../store/workflow-tables.ts";
import { auditedValue, bytesOf } from "../steps/run-record.ts";
import type { createStepKind } from "./receive-results.ts";
import type { MayStore } from "./start-run.ts";
import type { TaskOfRun } from "./turn.ts";

/** What the jobs of steps that wait for events need. */
interface EventsDeps {
  readonly database: Database<WorkflowTables>;
  readonly jobs: ProcessJobs<ExecutionColumn>;
  readonly codec: RecordCodec;
}

/** How long an event is kept for runs that come to their wait later, milliseconds. */
const keptMs = 7 * 86_400_000;

export const payloadContext = (eventId: string): string => `workflow_event payload ${eventId}`;

/**
 * Locks a topic until the end of the transaction: a wait that looks for events sees one that is being published, or is woken by it. SQLite
 * locks the whole database.
 */
async function lockTopic(tx: Transaction<WorkflowTables>, engine: Database<WorkflowTables>["engine"], topic: string) {
  if (engine === "postgres") await sql`select pg_advisory_xact_lock(hashtextextended(${topic}, 0))`.execute(tx);
}

/** Stores events and wakes the steps that wait for them. */
export function createEvents({
  database,
  jobs,
  codec,
  append,
  mayStore,
}: EventsDeps & { readonly append: AppendAudit; readonly mayStore: MayStore | undefined }) {
  const { db, engine, transaction } = database;

  async function store({ name, key, id, payload = null }: PublishEventRequest & { readonly id: string }, by?: Author) {
    const topic = topicOf({ name, key });
    // An id is its sender's own: nobody else can use it up.
    const event_id = hash("sha256", JSON.stringify([name, key, id, ...(by ? [by.actor] : [])]));
    const known = db.selectFrom("workflow_event").select("event_id").where("event_id", "=", event_id);
    if (by && (await known.executeTakeFirst())) return false;
    if (by) await mayStore?.(by.actor, bytesOf(payload));
    return transaction(async (tx) => {
      await lockTopic(tx, engine, topic);
      const author = by ? personDigest(by.actor) : null;
      const row = { event_id, name, topic, author, payload: codec.toColumn(payload, payloadContext(event_id)) };
      const added = await tx
        .insertInto("workflow_event")
        .values({ ...row, received_at: now(engine) })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (added.numInsertedOrUpdatedRows !== 1n) return false;
      const waits = await sql<{ id: string }>`
        select id from job where kind = 'event_wait' and state < 4 and context = ${topic}`.execute(tx);
      const ids = waits.rows.map((wait) => wait.id);
      if (ids.length > 0) await jobs.store.queries.wake(ids).execute(tx);
      const content = { key, payload: auditedValue(payload) };
      const act = { action: "event.publish", target: { type: "event", id: name }, content };
      if (by) await append(tx, [authorAct(by, act)]);
      return true;
    });
  }

  return {
    purgeEvents: purgeAfter(database, { table: "workflow_event", key: "event_id", column: "received_at" }, keptMs),
    /** Stores an event for runs that wait for it, now or within a week, as an act of its author over the API. A repetition of its id has no effect. */
    publish: async ({ id = randomUUID(), ...event }: PublishEventRequest, by?: Author): Promise<PublishedEvent> => {
      const is_new = await retryBriefly(() => store({ id, ...event }, by));
      jobs.lookFor(eventWaitKind);
      return { id, is_new };
    },
  };
}

/** How long a wait sleeps unless an event wakes it, milliseconds. */
const pauseMs = 86_400_000;

/**
 * The wait of a step for an event: it ends with the oldest one since its run began. An event is for every step that waits for it, once
 * each.
 */
export function createEventWait(
  { database, codec }: EventsDeps,
  stepKind: ReturnType<typeof createStepKind>,
): JobKind<ExecutionColumn> {
  const { engine, transaction } = database;

  const find = (topic: string, { run_id }: TaskOfRun) =>
    transaction(async (tx) => {
      await lockTopic(tx, engine, topic);
      const began = tx.selectFrom("workflow_run").select("created_at").where("run_id", "=", run_id);
      const events = tx.selectFrom("workflow_event").selectAll().where("topic", "=", topic);
      const since = events.where("received_at", ">=", began);
      return since.orderBy("received_at").orderBy("event_id").limit(1).executeTakeFirst();
    });

  return stepKind(eventWaitKind, async (job, task) => {
    const found = await retryBriefly(() => find(String(job.context), task));
    if (found === undefined) return { release: { counted: false, afterMs: pauseMs } };
    const event = openedHere(() => codec.fromColumn(found.payload, payloadContext(found.event_id)));
    if (event === undefined) return { failure: "The stored event was modified and can't be decrypted." };
    return { output: { event, at: isoTime(found.received_at) } satisfies TakenEvent };
  });
}
