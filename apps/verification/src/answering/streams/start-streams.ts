import type { Clock } from "@crosszone/service-kit/timing";
import type { Question } from "../../inbox/records.ts";
import type { SlackApi, StreamChunk, StreamEnding, StreamOpening } from "../../slack/slack-api.ts";
import { SlackCallError } from "../../slack/slack-call-error.ts";
import { timersFirst } from "../posting/send-once.ts";
import { firstChunks } from "./stream-ledger.ts";
import type { StreamPace, StreamPlace } from "./stream-pace.ts";

/** A message that this process streams. */
export interface LiveStream {
  readonly ts: string;
  /** Unix milliseconds. */
  readonly startedAt: number;
  /** Resolves when this stream can append once. Rejects with the signal's reason. */
  turn(signal: AbortSignal): Promise<void>;
  /** Pauses the appends of all streams of the workspace for `ms` milliseconds. */
  pause(ms: number): Promise<void>;
  /** Appends once. Rejects with a `SlackCallError`. */
  append(chunks: readonly StreamChunk[]): Promise<void>;
  /** Ends the stream. Rejects with a `SlackCallError`. */
  stop(ending: StreamEnding): Promise<void>;
  /** Releases the stream's place, once. Never rejects. */
  release(): Promise<void>;
}

interface LiveStreamParts {
  readonly slack: SlackApi;
  readonly clock: Clock;
  readonly pace: StreamPace;
}

/** Wait for a turn while the pace is unavailable, milliseconds. */
const unknownTurnMs = 5_000;

/** Makes the stream `ts` of a channel, which occupies a place. */
function createLiveStream(
  { slack, clock, pace }: LiveStreamParts,
  { channel, ts, place }: { readonly channel: string; readonly ts: string; readonly place: StreamPlace },
): LiveStream {
  const message = { channel, ts };
  let released: Promise<void> | undefined;
  return {
    ts,
    startedAt: clock.now(),
    turn: async (signal) => {
      const ms = await pace.turn(place.team_id).catch(() => unknownTurnMs);
      signal.throwIfAborted();
      if (ms > 0) await clock.sleep(ms, signal);
    },
    pause: (ms) => pace.pause(place.team_id, ms).catch(() => undefined),
    append: (chunks) => slack.appendStream(message, chunks),
    stop: (ending) => slack.stopStream(message, ending),
    release: () => (released ??= pace.end(place).catch(() => undefined)),
  };
}

/** Remembers where Slack refuses streams, to avoid futile calls. */
interface StreamRefusals {
  /** Returns true if Slack has recently refused a stream in this channel. */
  has(channel: string): boolean;
  add(channel: string, error: SlackCallError): void;
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

/** The refusals of one workspace. */
export function createStreamRefusals(clock: Clock): StreamRefusals {
  const until = new Map<string, number>();
  const holds = (key: string): boolean => {
    const isOver = (until.get(key) ?? 0) <= clock.now();
    if (isOver) until.delete(key);
    return !isOver;
  };
  return {
    has: (channel) => holds(wholeWorkspace) || holds(channel),
    add: (channel, { failure, code, retryAfterMs }) => {
      if (failure === "unavailable") return;
      const isLimit = failure === "rate_limited";
      const key = isLimit || everywhere.has(code) ? wholeWorkspace : channel;
      until.set(key, clock.now() + (isLimit ? (retryAfterMs ?? limitedMs) : refusedMs));
    },
  };
}

export interface StreamStartsDeps {
  readonly slack: SlackApi;
  readonly clock: Clock;
  readonly pace: StreamPace;
  /** The workspace. */
  readonly team_id: string;
}

/** A stream, or none; `doubtful` if a message may be in the thread anyway. */
export type StreamStart =
  | { readonly stream: LiveStream }
  | { readonly stream?: never; readonly doubtful: boolean; readonly error?: SlackCallError };

/** Starts the streams of one workspace. */
export interface StreamStarts {
  /** Starts a stream in the question's thread if that is possible at once. Rejects only with the reason of `leave`. */
  start(record: Question, leave: AbortSignal): Promise<StreamStart>;
}

/** Starts the streams of one workspace, when a place is free and Slack has not refused recently. */
export function createStreamStarts({ slack, clock, pace, team_id }: StreamStartsDeps): StreamStarts {
  const refusals = createStreamRefusals(clock);
  return {
    start: async (record, leave) => {
      const { channel, thread_ts } = record;
      if (refusals.has(channel)) return { doubtful: false };
      const place = await pace.begin(team_id).catch(() => undefined);
      if (place === undefined) return { doubtful: false };
      await timersFirst();
      leave.throwIfAborted();
      try {
        const { ts } = await slack.startStream({ channel, thread_ts }, openingOf(record));
        return { stream: createLiveStream({ slack, clock, pace }, { channel, ts, place }) };
      } catch (error) {
        await pace.end(place).catch(() => undefined);
        if (!(error instanceof SlackCallError)) throw error;
        refusals.add(channel, error);
        return { doubtful: error.failure === "unavailable", error };
      }
    },
  };
}

/** Slack requires the user who sees the message grow, except in direct messages. */
function openingOf({ channel, user_id, author_teams, team_id }: Question): StreamOpening {
  const recipient = { user_id, team_id: author_teams[0] ?? team_id };
  return { chunks: firstChunks, recipient: channel.startsWith("D") ? undefined : recipient };
}
