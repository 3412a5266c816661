import type { MessageBus } from "@crosszone/bus";
import { createRecordCodec, type Vault } from "@crosszone/service-kit";
import { createGroupCommit, deleteOlder, now, patiently, type Database } from "@crosszone/sql";
import { sql } from "kysely";
import type { HeldCall } from "../agent-call.ts";
import type { CallStore } from "../call-store.ts";
import type { AgentCallTables } from "./agent-call-table.ts";
import {
  newCallRow,
  callOutputContext,
  callProgressContext,
  callRemoteIdContext,
  takenCallOf,
  wayColumns,
  type NewCallRow,
} from "./call-row.ts";
import { callStatements } from "./call-statements.ts";
import { endCalls, repeatResult, settleCall } from "./end-calls.ts";
import { findWaitingAgents, readCalls, takeRows } from "./take-calls.ts";

export interface CallStoreOptions {
  readonly database: Database<AgentCallTables>;
  readonly bus: Pick<MessageBus, "kind" | "outbox">;
  /** The unique id of this process: a UUID. */
  readonly owner: string;
  /** How long a lease lasts without renewal, milliseconds. */
  readonly leaseMs: number;
  /** How long an ended call is kept, milliseconds. A task that arrives again within this time is not repeated. */
  readonly retentionMs: number;
  /** Seals inputs and results of agents. */
  readonly vault?: Pick<Vault, "seal" | "open"> | undefined;
}

/** The most ends per transaction, when they are small. */
const mostEnds = 100;

/** How long an operation is retried while the database is unreachable, milliseconds. */
const patienceMs = 1_000;

/** Creates a store in the zone's database. Concurrent arrivals and ends share a transaction. */
export function createCallStore(options: CallStoreOptions): CallStore {
  const { database, owner, leaseMs, retentionMs, vault, bus } = options;
  const { db, engine } = database;
  const codec = createRecordCodec(vault);
  const deps = { database, outbox: bus.outbox, owner, codec };
  const statements = callStatements(now(engine).compile(db).sql);
  // On the embedded bus, the call's message is in the same database and is deleted later: a power loss that undoes the
  // call undoes the deletion, too.
  const unflushed = bus.kind === "embedded";
  const add = createGroupCommit((rows: readonly NewCallRow[]) => database.write(statements.add, rows, { unflushed }), {
    sizeOf: ({ input }) => input.length,
  });
  const end = createGroupCommit(endCalls(deps), { most: mostEnds, sizeOf: ({ output }) => output.length });
  const lease = ({ id, attempt }: HeldCall) => ({ id, owner, attempt });
  const reach = <T>(operation: () => Promise<T>): Promise<T> => patiently(operation, { budgetMs: patienceMs });
  // A subquery, evaluated once for all rows, so that the index is used.
  const old = sql<number>`(select ${now(engine)} - ${retentionMs})`;

  return {
    leaseMs,

    add: (call) => {
      const row = newCallRow(call, { owner, leaseMs, codec });
      return reach(() => add(row));
    },

    waitingAgents: (which) => reach(() => findWaitingAgents(database, which)),

    take: async (shares, which) => {
      if (shares.length === 0) return [];
      const rows = await reach(() => takeRows(database, { owner, leaseMs, shares, ...which }));
      return rows.map((row) => takenCallOf(row, codec));
    },

    renew: (held) =>
      reach(async () => {
        const rows = held.map((call) => ({ ...lease(call), lease_ms: leaseMs }));
        await database.write(statements.renew, rows);
      }),

    lost: (held) =>
      reach(async () => {
        if (held.length === 0) return [];
        const ids = held.map(({ id }) => id);
        const select = db.selectFrom("agent_call").select(["id", "owner", "attempt", "state"]);
        const found = new Map((await select.where("id", "in", ids).execute()).map((row) => [row.id, row]));
        return held.flatMap(({ id, attempt }) => {
          const row = found.get(id);
          const isHeld = row?.state === "open" && row.owner === owner && row.attempt === attempt;
          return isHeld ? [] : [{ id, state: row?.state }];
        });
      }),

    handBack: (held) => reach(async () => void (await database.write(statements.handBack, held.map(lease)))),

    keepRemoteId: async (held, remoteId) => {
      const sealed = codec.toColumn(remoteId, callRemoteIdContext(held.id));
      const [isKept] = await reach(() => database.write(statements.remoteId, [{ ...lease(held), remote_id: sealed }]));
      return isKept ?? false;
    },

    keepProgress: async (held, progress) => {
      const sealed = codec.toColumn(progress, callProgressContext(held.id));
      await reach(() => database.write(statements.progress, [{ ...lease(held), progress: sealed }]));
    },

    keepWays: (calls) =>
      reach(async () => {
        const rows = calls.map(({ held, way }) => ({ ...lease(held), ...wayColumns(way) }));
        if (rows.length > 0) await database.write(statements.way, rows);
      }),

    end: (held, result) => {
      const output = codec.toColumn(result.result, callOutputContext(held.id));
      return reach(() => end({ ...held, end: result, output }));
    },
    cancel: (ids, result) => reach(() => settleCall(deps, ids, { end: result, replacesOpen: true })),
    refuse: (ids, result) => reach(() => settleCall(deps, ids, { end: result, replacesOpen: false })),
    repeatResult: (ids) => reach(() => repeatResult(deps, ids)),

    forget: (most) =>
      reach(() => deleteOlder(db, { table: "agent_call", key: "id", column: "finished_at", before: old }, most)),

    readings: () => reach(() => readCalls(database)),
  };
}
