import { createJobEvents, createJobLease, createLaneStore, jobStates, type HeldJob } from "@crosszone/jobs";
import { sql } from "kysely";
import type { VerificationDatabase } from "../database/open-verification-database.ts";
import { acceptRecord, recordGuard } from "./accept-record.ts";
import { laneOf, threadOf } from "./digests.ts";
import { LeaseLostError } from "./endings.ts";
import type { RecordLease, Inbox, InboxProcess, InboxRecord, Arrival } from "./inbox.ts";
import { inboxJobs, sealContexts } from "./inbox-jobs.ts";
import { readLoad } from "./read-load.ts";
import { readRecord, type ReadOptions } from "./read-record.ts";
import { keepThread, readStanding } from "./sql-thread-store.ts";
import { stopQuestions } from "./stop-questions.ts";

export interface SqlInboxOptions extends ReadOptions {
  readonly leaseMs: number;
  /** Maximum number of open records. */
  readonly most: number;
}

/** The record waits for a worker. */
const waits: Arrival = { as: "ready", stored: () => undefined, notStored: () => undefined };

/** Makes the inbox of one process in the zone's database. */
export function createSqlInbox(database: VerificationDatabase, options: SqlInboxOptions): Inbox {
  const { db, engine } = database;
  const { leaseMs, attempts, most, codec } = options;
  let process: InboxProcess | undefined;
  let healing: NodeJS.Timeout | undefined;
  const onFailure = (cause: unknown): void => process?.onFailure(cause);
  const lease = createJobLease({
    database,
    leaseMs,
    givesUp: true,
    onLost: () => process?.onLost(),
    onReaped: () => process?.onReady(),
    onFailure,
  });
  const events = createJobEvents(database);
  let listening: Promise<void> | undefined;
  const jobs = createLaneStore({
    database,
    lease,
    schema: inboxJobs,
    onPromoted: () => process?.onReady(),
    guard: recordGuard(engine, most),
  });
  events.onReady((kind, atFront) => {
    if (atFront) jobs.lookAtFront();
    process?.onReady(kind);
  });
  const release = async (
    held: RecordLease,
    how: { readonly counted: boolean; readonly afterMs?: number },
  ): Promise<void> => mustBeHeld((await jobs.release([jobOf(held)], how))[0]);

  async function heal(): Promise<void> {
    if ((await jobs.heal()) > 0) process?.onReady();
  }

  async function accept(record: InboxRecord, entry: Arrival): Promise<"accepted" | "duplicate"> {
    const entered = await acceptRecord(database, record, { lanes: jobs, codec, as: entry.as });
    if (entered === entry.as) {
      const taken = { attempt: 1, triesLeft: attempts - 1, lane: laneOf(record.kind, record), progress: {} };
      entry.stored({ ...taken, record });
      return "accepted";
    }
    entry.notStored();
    if (entered === "again") await releaseUnknown(record);
    return entered === "duplicate" ? "duplicate" : "accepted";
  }

  /** The answer to its first acceptance was lost: it may be leased to this process, which does not know. */
  async function releaseUnknown({ request_id: id }: InboxRecord): Promise<void> {
    if (process === undefined || process.isRunning(id)) return;
    await jobs.release([{ id, attempt: 1 }], { counted: false });
    process.onReady();
  }

  return {
    leaseMs,
    open: async (opened) => {
      process = opened;
      await lease.start();
      await (listening ??= events.start());
      healing ??= setInterval(() => void heal().catch(onFailure), leaseMs).unref();
    },
    close: async () => {
      clearInterval(healing);
      await listening;
      await events.stop();
      await lease.stop();
    },
    isLeaseOver: lease.isOver,

    accept: async (record) => {
      const entry = (lease.isOver() ? undefined : process?.enter(record.kind)) ?? waits;
      return accept(record, entry).catch((error: unknown) => {
        entry.notStored();
        throw error;
      });
    },
    jobs,
    read: (job) => readRecord(job, options),

    standing: (record) => readStanding(database, record),
    note: async (held, { placeholder, answer, attached }, answered) => {
      const values = {
        ...(placeholder !== undefined && { placeholder }),
        ...(answer !== undefined && { answer: codec.toColumn(answer, sealContexts.answer(held.record.request_id)) }),
        ...(attached !== undefined && { attached: Number(attached) }),
      };
      if (answered === undefined) return mustBeHeld(await jobs.set(jobOf(held), values));
      const { thread, context_id, agent = null } = answered;
      const { id: request_id, attempt } = jobOf(held);
      const row = {
        request_id,
        attempt,
        owner: jobs.owner(),
        digest: threadOf(thread),
        team_id: thread.team_id,
        agent,
        context_id,
      };
      mustBeHeld(await jobs.setWith(jobOf(held), values, [keepThread.query(engine, [row])]));
    },
    complete: async (held) => mustBeHeld(await jobs.end({ ...jobOf(held), lane: held.lane })),
    retryLater: (held, afterMs) => release(held, { counted: true, afterMs }),
    release: (held, afterMs = 0) => release(held, { counted: false, afterMs }),
    park: async (held, why) =>
      mustBeHeld(await jobs.park({ ...jobOf(held), lane: held.lane }, { parked_because: why })),

    stop: (target, { request_id }) => stopQuestions(database, target, request_id),
    isStopped: async (requestId) => {
      const row = await db.selectFrom("job").select("stopped_by").where("id", "=", requestId).executeTakeFirst();
      return typeof row?.stopped_by === "string";
    },

    load: () => readLoad(database),
    queueIn: async (thread) => {
      const lane = laneOf("ask", thread);
      const { rows } = await sql<{ readonly state: number; readonly count: number }>`
        select state, count(*) as count from job where lane = ${lane} and lane is not null and state in (0, 1, 3) group by state
        union all select 2, count(*) from job where lane = ${lane} and state = 2`.execute(db);
      const countOf = (of: number): number => rows.find(({ state }) => state === of)?.count ?? 0;
      const { ready, behind, leased } = jobStates;
      return { waiting: countOf(ready) + countOf(behind), inWork: countOf(leased) };
    },
    isWaiting: async (requestId) => {
      const { ready, behind } = jobStates;
      const row = await db
        .selectFrom("job")
        .select("id")
        .where("id", "=", requestId)
        .where("state", "in", [ready, behind])
        .where("attempt", "=", 0)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

const jobOf = ({ record, attempt }: RecordLease): HeldJob => ({ id: record.request_id, attempt });

function mustBeHeld(isHeld: boolean | undefined): void {
  if (isHeld !== true) throw new LeaseLostError("the lease of the record was lost");
}
