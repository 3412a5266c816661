import { forUpdateSkipLocked, now as databaseNow } from "@crosszone/sql";
import { sql, type RawBuilder } from "kysely";
import type { VerificationDatabase } from "../../database/open-verification-database.ts";
import { appendEveryMs, placeMs, restMs, streamPlaces, type StreamPace, type StreamPlace } from "./stream-pace.ts";

export interface SqlStreamPaceOptions {
  /** The time, unix milliseconds; the database's clock when absent. */
  readonly now?: () => number;
}

/** Paces the streams of all workspaces in the zone's database, by the database's clock. Each method runs one atomic statement; `begin` needs two more
 * when it finds no place. */
export function createSqlStreamPace(
  { db, engine }: Pick<VerificationDatabase, "db" | "engine">,
  { now }: SqlStreamPaceOptions = {},
): StreamPace {
  const time = (): RawBuilder<number> => (now === undefined ? databaseNow(engine) : sql.lit(now()));
  /** Reserves the next append; resolves with the wait until it, milliseconds. */
  const appendsAt = async (team_id: string, first: RawBuilder<number>, next: RawBuilder<number>): Promise<number> => {
    const { rows } = await sql<{ wait: number }>`
      insert into stream_pace (team_id, place, free_at) values (${team_id}, 0, ${first})
      on conflict (team_id, place) do update set free_at = ${next}
      returning free_at - ${time()} as wait`.execute(db);
    return rows[0]?.wait ?? 0;
  };
  const latest = (): RawBuilder<number> =>
    sql<number>`case when stream_pace.free_at > ${time()} then stream_pace.free_at else ${time()} end`;

  const takePlace = async (team_id: string): Promise<StreamPlace | undefined> => {
    const { rows } = await sql<StreamPlace>`
      update stream_pace set free_at = ${time()} + ${sql.lit(placeMs)}
      where team_id = ${team_id} and place = (
        select place from stream_pace where team_id = ${team_id} and place > 0 and free_at <= ${time()}
        order by place limit 1 ${forUpdateSkipLocked(engine)})
      returning team_id, place, free_at`.execute(db);
    return rows[0];
  };
  const addPlaces = async (team_id: string): Promise<void> => {
    const places = Array.from({ length: streamPlaces }, (_none, index) => ({ team_id, place: index + 1, free_at: 0 }));
    const known = db.insertInto("stream_pace").values(places);
    await known.onConflict((conflict) => conflict.columns(["team_id", "place"]).doNothing()).execute();
  };

  return {
    begin: async (team_id) => {
      const place = await takePlace(team_id);
      if (place !== undefined) return place;
      await addPlaces(team_id);
      return takePlace(team_id);
    },
    end: async ({ team_id, place, free_at }) => {
      await sql`
        update stream_pace set free_at = ${time()} + ${sql.lit(restMs)}
        where team_id = ${team_id} and place = ${place} and free_at = ${free_at}`.execute(db);
    },
    turn: async (team_id) => {
      const every = sql.lit(appendEveryMs);
      const wait = await appendsAt(team_id, sql`${time()} + ${every}`, sql`${latest()} + ${every}`);
      return Math.max(0, wait - appendEveryMs);
    },
    pause: async (team_id, ms) => {
      const pause = sql.lit(Math.round(ms));
      await appendsAt(team_id, sql`${time()} + ${pause}`, sql`${latest()} + ${pause}`);
    },
  };
}
