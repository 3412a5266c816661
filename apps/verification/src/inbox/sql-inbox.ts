import { now } from "@crosszone/sql";
import {
  sql,
  type ExpressionBuilder,
  type ExpressionWrapper,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
} from "kysely";
import type { VerificationDatabase, VerificationTables } from "../database/open-verification-database.ts";
import { acceptRecord } from "./accept-record.ts";
import { channelOf, laneOf } from "./digests.ts";
import { LeaseLostError } from "./endings.ts";
import type { Held, Inbox } from "./inbox.ts";
import { sealContexts, type InboxTable } from "./inbox-table.ts";
import { readLoad } from "./read-load.ts";
import { takeRecord, type TakeOptions } from "./take-record.ts";

export interface SqlInboxOptions extends TakeOptions {
  /** Maximum number of open records. */
  readonly most: number;
}

/** Makes an inbox in the zone's database. `owner` identifies this process and must be unique to each start. */
export function createSqlInbox(database: VerificationDatabase, options: SqlInboxOptions): Inbox {
  const { db, engine } = database;
  const { owner, leaseMs, codec } = options;
  const later = (ms: number): RawBuilder<number> => sql<number>`${now(engine)} + ${sql.lit(Math.round(ms))}`;
  const waiting = { state: "waiting", owner: null } as const;
  const isHeld = heldBy(owner);
  const held = (lease: Held) => db.updateTable("inbox").where(isHeld(lease));

  return {
    accept: (record) => acceptRecord(database, record, options),
    take: (kind) => takeRecord(database, kind, options),

    renew: async (leases) => {
      if (leases.length === 0) return [];
      const ids = leases.map(({ record }) => record.request_id);
      const rows = await db
        .updateTable("inbox")
        .set({ due_at: later(leaseMs) })
        .where("request_id", "in", ids)
        .where("state", "=", "in_work")
        .where("owner", "=", owner)
        .returning(["request_id", "attempt"])
        .execute();
      const renewed = new Map(rows.map(({ request_id, attempt }) => [request_id, attempt]));
      return leases.filter(({ record, attempt }) => renewed.get(record.request_id) !== attempt);
    },

    note: async (lease, { placeholder, answer, attached }) => {
      const noted = held(lease).set({
        // Never empty: even an empty note must fail for a lost lease.
        owner,
        ...(placeholder !== undefined && { placeholder }),
        ...(answer !== undefined && { answer: codec.toColumn(answer, sealContexts.answer(lease.record)) }),
        ...(attached !== undefined && { attached: Number(attached) }),
      });
      mustBeOne((await noted.executeTakeFirstOrThrow()).numUpdatedRows);
    },
    complete: async (lease) => {
      const done = db.deleteFrom("inbox").where(isHeld(lease));
      mustBeOne((await done.executeTakeFirstOrThrow()).numDeletedRows);
    },
    retryLater: async (lease, afterMs) => {
      const left = held(lease).set({ ...waiting, due_at: later(afterMs) });
      mustBeOne((await left.executeTakeFirstOrThrow()).numUpdatedRows);
    },
    handBack: async (lease, afterMs) => {
      const left = held(lease).set((row) => ({
        ...waiting,
        due_at: afterMs === undefined ? row.ref("accepted_at") : later(afterMs),
        uncounted: row("uncounted", "+", 1),
      }));
      mustBeOne((await left.executeTakeFirstOrThrow()).numUpdatedRows);
    },
    park: async (lease, why) => {
      const parked = held(lease).set({
        state: "parked",
        owner: null,
        due_at: null,
        parked_at: now(engine),
        parked_because: why,
      });
      mustBeOne((await parked.executeTakeFirstOrThrow()).numUpdatedRows);
    },

    stop: async (target, { request_id }) => {
      const { thread_ts } = target;
      const { numUpdatedRows } = await db
        .updateTable("inbox")
        .set({ stopped_by: request_id })
        .where("kind", "=", "ask")
        .where("state", "<>", "parked")
        .where((row) =>
          thread_ts === undefined
            ? row("channel", "=", channelOf(target))
            : row("lane", "=", laneOf("ask", { ...target, thread_ts })),
        )
        .where((row) => row.or([row("stopped_by", "is", null), row("stopped_by", "=", request_id)]))
        .where((row) => row.not(row.exists(stopBefore(row, request_id))))
        .executeTakeFirstOrThrow();
      return Number(numUpdatedRows);
    },
    isStopped: async (requestId) => {
      const row = await db
        .selectFrom("inbox")
        .select("stopped_by")
        .where("request_id", "=", requestId)
        .executeTakeFirst();
      return typeof row?.stopped_by === "string";
    },

    load: () => readLoad(database),
    queueIn: async (thread) => {
      const rows = await db
        .selectFrom("inbox")
        .select((row) => ["state", row.fn.countAll<number>().as("count")])
        .where("lane", "=", laneOf("ask", thread))
        .groupBy("state")
        .execute();
      const countOf = (state: InboxTable["state"]): number => rows.find((row) => row.state === state)?.count ?? 0;
      return { waiting: countOf("waiting"), inWork: countOf("in_work") };
    },
    isWaiting: async (requestId) => {
      const row = await db
        .selectFrom("inbox")
        .select("request_id")
        .where("request_id", "=", requestId)
        .where("state", "=", "waiting")
        .where("attempt", "=", 0)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

type InboxCondition = (
  row: ExpressionBuilder<VerificationTables, "inbox">,
) => ExpressionWrapper<VerificationTables, "inbox", SqlBool>;

/** A lease is identified by the process and the attempt number, which increases with each lease. */
function heldBy(owner: string): (lease: Held) => InboxCondition {
  return ({ record, attempt }) =>
    (row) =>
      row.and({ request_id: record.request_id, state: "in_work", owner, attempt });
}

function mustBeOne(changed: bigint): void {
  if (changed === 0n) throw new LeaseLostError("the lease of the record was lost");
}

/** Selects stop records older than the question: a question asked after a stop is not stopped, however late the stop is processed. */
function stopBefore(
  row: ExpressionBuilder<VerificationTables, "inbox">,
  requestId: string,
): SelectQueryBuilder<VerificationTables & { stop: InboxTable }, "inbox" | "stop", { sequence: number }> {
  return row
    .selectFrom("inbox as stop")
    .select("stop.sequence")
    .where("stop.request_id", "=", requestId)
    .whereRef("stop.sequence", "<", "inbox.sequence");
}
