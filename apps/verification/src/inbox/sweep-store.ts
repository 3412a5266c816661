import { now, rowsFromJson } from "@crosszone/sql";
import { sql } from "kysely";
import type { VerificationDatabase } from "../database.ts";

/** A sweep that this process has leased. */
export interface LeasedSweep {
  readonly team_id: string;
  /** History from then on is read, Unix milliseconds. */
  readonly since: number;
  /** When the sweep began, by the database's clock. It identifies the sweep. */
  readonly began_at: number;
  /** Questions that were accepted so far. */
  readonly asked: number;
}

/** Threads that are looked at although their first message is old. */
const mostThreads = 500;

export type SweepStore = ReturnType<typeof createSweepStore>;

/** Stores until when each workspace was heard, and the sweep of what was written after that. Several processes share it. */
export function createSweepStore(
  { db, engine, batch }: VerificationDatabase,
  /** The process, and how long it has a sweep without a heartbeat, milliseconds. */
  { owner, leaseMs }: { readonly owner: string; readonly leaseMs: number },
) {
  const time = now(engine);
  return {
    /** Notes that the edge is up, and renews the leases of this process. A workspace that was not noted for `gapMs` milliseconds is behind. */
    beat: async (teams: readonly string[], gapMs: number): Promise<void> => {
      const rows = rowsFromJson(
        engine,
        teams.map((team_id) => ({ team_id })),
        { alias: "new", columns: { team_id: "text" } },
      );
      const isHere = sql`sweep.alive_at > excluded.alive_at - ${gapMs}`;
      const beating = sql`insert into sweep (team_id, alive_at) select team_id, ${time} from ${rows} where true
        on conflict (team_id) do update set alive_at = excluded.alive_at,
          behind_since = case when ${isHere} then sweep.behind_since else coalesce(sweep.behind_since, sweep.alive_at) end,
          began_at = case when ${isHere} then sweep.began_at end`.compile(db);
      const renewed = db.updateTable("sweep").set({ leased_until: sql<number>`${time} + ${leaseMs}` });
      await batch([beating, renewed.where("owner", "=", owner).where("leased_until", ">", time).compile()]);
    },
    /** Notes that a workspace, or each, may have lost what was written from `agoMs` milliseconds ago until `forMs` milliseconds from now. */
    lost: async (team: string | undefined, { agoMs, forMs }: { readonly agoMs: number; readonly forMs: number }) => {
      const since = sql<number>`${time} - ${Math.round(agoMs)}`;
      const behind_since = sql<number>`case when behind_since < ${since} then behind_since else ${since} end`;
      const changed = { behind_since, began_at: null, due_at: sql<number>`${time} + ${forMs}` };
      const updating = db.updateTable("sweep").set(changed);
      await (team === undefined ? updating : updating.where("team_id", "=", team)).execute();
    },
    /** Leases the sweep of one of these workspaces, if one is due. */
    lease: async (teams: readonly string[]): Promise<LeasedSweep | undefined> => {
      const isFree = sql<boolean>`behind_since is not null and due_at <= ${time} and (leased_until is null or leased_until < ${time})`;
      const due = db.selectFrom("sweep").select("team_id").where(isFree).where("team_id", "in", teams).limit(1);
      const began_at = sql<number>`coalesce(began_at, ${time})`;
      const leasing = db.updateTable("sweep").set({ owner, began_at, leased_until: sql<number>`${time} + ${leaseMs}` });
      const mine = leasing.where("team_id", "=", due).where(isFree);
      const row = await mine.returning(["team_id", "behind_since", "began_at", "asked"]).executeTakeFirst();
      if (row === undefined || row.behind_since === null || row.began_at === null) return undefined;
      const { behind_since: since, ...leased } = row;
      return { ...leased, since, began_at: row.began_at };
    },
    /** Resolves with false if another process has the sweep. */
    isMine: async ({ team_id }: LeasedSweep): Promise<boolean> => {
      const found = db.selectFrom("sweep").select("team_id").where("team_id", "=", team_id).where("owner", "=", owner);
      return (await found.where("leased_until", ">", time).executeTakeFirst()) !== undefined;
    },
    /** Resolves with the conversations that were read before. */
    channels: async (team: string) => {
      const rows = await db.selectFrom("sweep_channel").selectAll().where("team_id", "=", team).execute();
      return new Map(rows.map(({ channel, ...swept }) => [channel, swept]));
    },
    /** Stores that a conversation was read in this sweep, or why it could not be. `asked`: questions of the sweep so far. */
    read: async (
      { team_id, began_at: read_to }: LeasedSweep,
      { channel, asked, refused }: { readonly channel: string; readonly asked: number; readonly refused?: string },
    ): Promise<void> => {
      const swept = { read_to, refused: refused ?? null };
      const inserted = db.insertInto("sweep_channel").values({ team_id, channel, ...swept });
      const stored = inserted.onConflict((same) => same.columns(["team_id", "channel"]).doUpdateSet(swept));
      const counted = db.updateTable("sweep").set({ asked }).where("team_id", "=", team_id);
      await batch([stored.compile(), counted.compile()]);
    },
    /** Ends a sweep, unless something was lost since it began, and forgets conversations that the app has left. */
    end: async ({ team_id, began_at }: LeasedSweep): Promise<void> => {
      const left = db.deleteFrom("sweep_channel").where("team_id", "=", team_id).where("read_to", "<>", began_at);
      const ended = { behind_since: null, began_at: null, asked: 0 };
      const ending = db.updateTable("sweep").set(ended).where("team_id", "=", team_id).where("began_at", "=", began_at);
      await batch([left.compile(), ending.compile()]);
    },
    /** Releases a sweep of this process, to begin again after `afterMs` milliseconds at the earliest. */
    release: async ({ team_id }: LeasedSweep, afterMs: number): Promise<void> => {
      const due_at = sql<number>`case when ${time} + ${afterMs} > due_at then ${time} + ${afterMs} else due_at end`;
      const releasing = db.updateTable("sweep").set({ owner: null, leased_until: null, due_at });
      await releasing.where("team_id", "=", team_id).where("owner", "=", owner).execute();
    },
    ...readsOf(db),
  };
}

/** Reads what a sweep has to look at besides history. */
function readsOf(db: VerificationDatabase["db"]) {
  const messages = db.selectFrom("message");
  return {
    /** Resolves with the threads with a message that ended after `since`, Unix milliseconds, those of the latest ends first. */
    threads: (team: string, since: number) => {
      const found = messages.select(["channel", "thread_ts"]).where("ended_at", ">", since);
      const own = found.where("team_id", "=", team).where("state", "in", ["answered", "missed", "open"]);
      const grouped = own.groupBy(["channel", "thread_ts"]).orderBy((row) => row.fn.max("ended_at"), "desc");
      return grouped.limit(mostThreads).execute();
    },
    /** Resolves with those references whose messages have ended, or wait for people. */
    known: async (references: readonly string[]): Promise<ReadonlySet<string>> => {
      const found = await messages.select("reference").where("reference", "in", references).execute();
      return new Set(found.map(({ reference }) => reference));
    },
    /** Resolves with the messages whose tasks wait for people. */
    waiting: (team: string) => {
      const open = messages.where("team_id", "=", team).where("state", "=", "open").where("ts", "is not", null);
      return open.select(["channel", "thread_ts", "ts", "user_id"]).$narrowType<{ ts: string }>().execute();
    },
    /** Resolves with the number of messages that were listed as missed since then, and of those that are not stored yet. */
    missed: async (team: string, since: number) => {
      const count = sql<number>`count(*)`.as("count");
      const listed = messages.select(count).where("team_id", "=", team).where("state", "=", "missed");
      const open = db.selectFrom("job").select(count).where("team", "=", team).where("kind", "=", "missed");
      const { count: missed } = await listed.where("ended_at", ">=", since).executeTakeFirstOrThrow();
      const { count: left } = await open.where("state", "in", [0, 1, 2]).executeTakeFirstOrThrow();
      return { missed, left };
    },
  };
}
