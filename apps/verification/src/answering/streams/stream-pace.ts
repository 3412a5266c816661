import { forUpdateSkipLocked, now as databaseNow } from "@crosszone/sql";
import { sql, type RawBuilder } from "kysely";
import type { VerificationDatabase } from "../../database/open-verification-database.ts";
import { appendEveryMs, placeMs, restMs, streamPlaces } from "./stream-limits.ts";

/** The right to one live streamed message. */
export interface StreamPlace {
  readonly team_id: string;
  readonly place: number;
  /** When the place becomes free by itself, unix milliseconds. */
  readonly free_at: number;
}

/**
 * When the streams of a workspace can begin and grow. Slack limits each method per workspace: 20 starts, 20 stops and 100 appends a
 * minute. All processes of the zone share the limits. https://docs.slack.dev/apis/web-api/rate-limits
 *
 * A workspace has 20 places. A stream occupies a place while it is live and for a minute after its end. So in any minute at most 20
 * streams start, at most 20 stop, and a stream that started can always be stopped. Each method runs one atomic statement; `begin` needs two
 * more when it finds no place.
 */
export class StreamPace {
  readonly #database: VerificationDatabase;
  readonly #now: (() => number) | undefined;

  /** `now`: the time, unix milliseconds; the database's clock when absent. */
  constructor(database: VerificationDatabase, now?: () => number) {
    this.#database = database;
    this.#now = now;
  }

  /** Takes a place; undefined when none is free. */
  async begin(team_id: string): Promise<StreamPlace | undefined> {
    const place = await this.#takePlace(team_id);
    if (place !== undefined) return place;
    await this.#addPlaces(team_id);
    return this.#takePlace(team_id);
  }

  /** Ends the use of a place. The place is free a minute later. */
  async end({ team_id, place, free_at }: StreamPlace): Promise<void> {
    await sql`
      update stream_pace set free_at = ${this.#time()} + ${sql.lit(restMs)}
      where team_id = ${team_id} and place = ${place} and free_at = ${free_at}`.execute(this.#database.db);
  }

  /** Takes the next turn to append. Returns how long to wait for the turn, milliseconds. */
  async turn(team_id: string): Promise<number> {
    return Math.max(0, (await this.#appendAfter(team_id, appendEveryMs)) - appendEveryMs);
  }

  /** Postpones all turns of the workspace that are not taken yet by this time, milliseconds. */
  async pause(team_id: string, ms: number): Promise<void> {
    await this.#appendAfter(team_id, Math.round(ms));
  }

  /** Moves the next append by this time, milliseconds. Returns how long it is until then, milliseconds. */
  async #appendAfter(team_id: string, ms: number): Promise<number> {
    const [time, later] = [this.#time(), sql.lit(ms)];
    const { rows } = await sql<{ wait: number }>`
      insert into stream_pace (team_id, place, free_at) values (${team_id}, 0, ${time} + ${later})
      on conflict (team_id, place) do update
        set free_at = case when stream_pace.free_at > ${time} then stream_pace.free_at else ${time} end + ${later}
      returning free_at - ${time} as wait`.execute(this.#database.db);
    return rows[0]?.wait ?? 0;
  }

  async #takePlace(team_id: string): Promise<StreamPlace | undefined> {
    const { db, engine } = this.#database;
    const { rows } = await sql<StreamPlace>`
      update stream_pace set free_at = ${this.#time()} + ${sql.lit(placeMs)}
      where team_id = ${team_id} and place = (
        select place from stream_pace where team_id = ${team_id} and place > 0 and free_at <= ${this.#time()}
        order by place limit 1 ${forUpdateSkipLocked(engine)})
      returning team_id, place, free_at`.execute(db);
    return rows[0];
  }

  async #addPlaces(team_id: string): Promise<void> {
    const places = Array.from({ length: streamPlaces }, (_none, index) => ({ team_id, place: index + 1, free_at: 0 }));
    const known = this.#database.db.insertInto("stream_pace").values(places);
    await known.onConflict((conflict) => conflict.columns(["team_id", "place"]).doNothing()).execute();
  }

  #time(): RawBuilder<number> {
    return this.#now === undefined ? databaseNow(this.#database.engine) : sql.lit(this.#now());
  }
}
