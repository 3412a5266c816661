import type { Clock } from "@crosszone/service-kit/timing";
import { forUpdateSkipLocked, now as databaseNow } from "@crosszone/sql";
import { type RawBuilder, sql } from "kysely";
import type { VerificationDatabase } from "../../database.ts";
import type { Question } from "../../inbox/records.ts";
import type { MessagePlace, SlackApi, StreamChunk, StreamEnding } from "../../slack/slack-api.ts";
import { SlackCallError } from "../../slack/slack-call-error.ts";
import { ofOneThread, timersFirst } from "../send-once.ts";
import { firstChunks } from "./stream-ledger.ts";

// Chaos runs replace these numbers by name: their Slack has no such limits.

/** How many streams a workspace has at a time: Slack's limits allow no more. */
export const streamPlaces = 20;
/** Slack ends a stream after about five minutes. A place that no process has released becomes free some time later, milliseconds. */
export const placeMs = 6 * 60_000;
/** How long a place stays occupied after the end of its stream, milliseconds. */
export const restMs = 60_000;
/** The time between two appends of a workspace, milliseconds. */
export const appendEveryMs = 600;

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
 * more when it finds no place. `now`: the time, unix milliseconds; the database's clock when absent.
 */
export function createStreamPace({ db, engine }: VerificationDatabase, now?: () => number) {
  const time = (): RawBuilder<number> => (now === undefined ? databaseNow(engine) : sql.lit(now()));

  /** Moves the next append by this time, milliseconds. Returns how long it is until then, milliseconds. */
  async function appendAfter(team_id: string, ms: number): Promise<number> {
    const [at, later] = [time(), sql.lit(ms)];
    const { rows } = await sql<{ wait: number }>`
      insert into stream_pace (team_id, place, free_at) values (${team_id}, 0, ${at} + ${later})
      on conflict (team_id, place) do update
        set free_at = case when stream_pace.free_at > ${at} then stream_pace.free_at else ${at} end + ${later}
      returning free_at - ${at} as wait`.execute(db);
    return rows[0]?.wait ?? 0;
  }

  async function takePlace(team_id: string): Promise<StreamPlace | undefined> {
    const { rows } = await sql<StreamPlace>`
      update stream_pace set free_at = ${time()} + ${sql.lit(placeMs)}
      where team_id = ${team_id} and place = (
        select place from stream_pace where team_id = ${team_id} and place > 0 and free_at <= ${time()}
        order by place limit 1 ${forUpdateSkipLocked(engine)})
      returning team_id, place, free_at`.execute(db);
    return rows[0];
  }

  async function addPlaces(team_id: string): Promise<void> {
    const places = Array.from({ length: streamPlaces }, (_none, index) => ({ team_id, place: index + 1, free_at: 0 }));
    const known = db.insertInto("stream_pace").values(places);
    await known.onConflict((conflict) => conflict.columns(["team_id", "place"]).doNothing()).execute();
  }

  return {
    /** Takes a place; undefined when none is free. */
    begin: async (team_id: string): Promise<StreamPlace | undefined> => {
      const place = await takePlace(team_id);
      if (place !== undefined) return place;
      await addPlaces(team_id);
      return takePlace(team_id);
    },
    /** Ends the use of a place. The place is free a minute later. */
    end: async ({ team_id, place, free_at }: StreamPlace): Promise<void> => {
      await sql`
        update stream_pace set free_at = ${time()} + ${sql.lit(restMs)}
        where team_id = ${team_id} and place = ${place} and free_at = ${free_at}`.execute(db);
    },
    /** Takes the next turn to append. Returns how long to wait for the turn, milliseconds. */
    turn: async (team_id: string): Promise<number> =>
      Math.max(0, (await appendAfter(team_id, appendEveryMs)) - appendEveryMs),
    /** Postpones all turns of the workspace that are not taken yet by this time, milliseconds. */
    pause: async (team_id: string, ms: number): Promise<void> => {
      await appendAfter(team_id, Math.round(ms));
    },
  };
}

export type StreamPace = ReturnType<typeof createStreamPace>;

interface StreamStartsDeps {
  readonly slack: SlackApi;
  readonly clock: Clock;
  readonly pace: StreamPace;
  /** The workspace. */
  readonly team_id: string;
}

/** Starts the streams of one workspace, when a place is free and Slack has not refused recently. */
export function createStreamStarts(deps: StreamStartsDeps) {
  const { slack, pace, team_id, clock } = deps;
  const refusals = createStreamRefusals(clock);
  return {
    /**
     * Starts a stream in the question's thread if that is possible at once. Without one, it is `doubtful` if a message may be in the thread
     * anyway. Rejects only with the reason of `leave`.
     */
    start: async (record: Question, leave: AbortSignal) => {
      const { channel, thread_ts } = record;
      if (refusals.has(channel)) return { doubtful: false };
      const place = await pace.begin(team_id).catch(() => undefined);
      if (place === undefined) return { doubtful: false };
      await timersFirst();
      leave.throwIfAborted();
      try {
        // Slack requires the user who sees the message grow, except in direct messages.
        const recipient = { user_id: record.user_id, team_id: record.author_teams[0] ?? record.team_id };
        const opening = { chunks: firstChunks, recipient: channel.startsWith("D") ? undefined : recipient };
        const { ts } = await slack.startStream({ channel, thread_ts }, opening);
        return { stream: liveStream(deps, { channel, ts }, place) };
      } catch (error) {
        await pace.end(place).catch(() => undefined);
        if (!(error instanceof SlackCallError)) throw error;
        refusals.add(channel, error);
        return { doubtful: error.failure === "unavailable", error };
      }
    },
  };
}

export type StreamStarts = ReturnType<typeof createStreamStarts>;

/** Wait for a turn while the pace is unavailable, milliseconds. */
const unknownTurnMs = 5_000;

/** A message that this process streams. It occupies a place. */
export type LiveStream = ReturnType<typeof liveStream>;

function liveStream({ slack, clock, pace, team_id }: StreamStartsDeps, message: MessagePlace, place: StreamPlace) {
  let released: Promise<void> | undefined;
  return {
    ts: message.ts,
    /** Unix milliseconds. */
    startedAt: clock.now(),
    /** Resolves when this stream can append once. Rejects with the signal's reason. */
    turn: async (signal: AbortSignal): Promise<void> => {
      const ms = await pace.turn(team_id).catch(() => unknownTurnMs);
      signal.throwIfAborted();
      if (ms > 0) await clock.sleep(ms, signal);
    },
    /** Pauses the appends of all streams of the workspace for `ms` milliseconds. Never rejects. */
    pause: (ms: number): Promise<void> => pace.pause(team_id, ms).catch(() => undefined),
    /** Appends once. Rejects with a `SlackCallError`. */
    append: (chunks: readonly StreamChunk[]): Promise<void> => slack.appendStream(message, chunks),
    /** Ends the stream. Rejects with a `SlackCallError`. */
    stop: (ending: StreamEnding): Promise<void> => slack.stopStream(message, ending),
    /** Releases the stream's place, once. Never rejects. */
    release: (): Promise<void> => (released ??= pace.end(place).catch(() => undefined)),
  };
}

/** Refusals that apply to every channel of the workspace. The others apply to one channel. */
const everywhere: ReadonlySet<string> = new Set([
  "access_denied",
  "feature_disabled",
  "feature_not_enabled",
  "method_deprecated",
  "missing_recipient_team_id",
  "missing_recipient_user_id",
  "missing_scope",
  "not_allowed_token_type",
  "not_authorized",
  "unknown_method",
]);

const refusedMs = 600_000;
/** How long streams pause after a rate limit without a retry time, milliseconds. */
const limitedMs = 30_000;
const wholeWorkspace = "";

/** Remembers where Slack refuses streams in one workspace, to avoid futile calls. */
export function createStreamRefusals({ now }: Clock) {
  const until = new Map<string, number>();
  const holds = (key: string): boolean => {
    const isOver = (until.get(key) ?? 0) <= now();
    if (isOver) until.delete(key);
    return !isOver;
  };
  return {
    /** Returns true if Slack has recently refused a stream in this channel. */
    has: (channel: string): boolean => holds(wholeWorkspace) || holds(channel),
    add: (channel: string, { failure, code, retryAfterMs }: SlackCallError): void => {
      if (failure === "unavailable" || ofOneThread.has(code)) return;
      const isLimit = failure === "rate_limited";
      const key = isLimit || everywhere.has(code) ? wholeWorkspace : channel;
      until.set(key, now() + (isLimit ? (retryAfterMs ?? limitedMs) : refusedMs));
    },
  };
}
