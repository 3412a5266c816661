import type { Clock } from "@crosszone/service-kit/timing";
import type { Question } from "../../inbox/records.ts";
import type { MessagePlace, SlackApi, StreamChunk, StreamEnding } from "../../slack/slack-api.ts";
import { SlackCallError } from "../../slack/slack-call-error.ts";
import { ofOneThread } from "../posting/refusals.ts";
import { timersFirst } from "../posting/send-once.ts";
import { firstChunks } from "./stream-ledger.ts";
import type { StreamPace, StreamPlace } from "./stream-pace.ts";

export interface StreamStartsDeps {
  readonly slack: SlackApi;
  readonly clock: Clock;
  readonly pace: StreamPace;
  /** The workspace. */
  readonly team_id: string;
}

/** A stream, or none; `doubtful` if a message may be in the thread anyway. */
type StreamStart =
  | { readonly stream: LiveStream }
  | { readonly stream?: never; readonly doubtful: boolean; readonly error?: SlackCallError };

/** Starts the streams of one workspace, when a place is free and Slack has not refused recently. */
export class StreamStarts {
  readonly #deps: StreamStartsDeps;
  readonly #refusals: StreamRefusals;

  constructor(deps: StreamStartsDeps) {
    this.#deps = deps;
    this.#refusals = new StreamRefusals(deps.clock);
  }

  /** Starts a stream in the question's thread if that is possible at once. Rejects only with the reason of `leave`. */
  async start(record: Question, leave: AbortSignal): Promise<StreamStart> {
    const { slack, pace, team_id } = this.#deps;
    const { channel, thread_ts } = record;
    if (this.#refusals.has(channel)) return { doubtful: false };
    const place = await pace.begin(team_id).catch(() => undefined);
    if (place === undefined) return { doubtful: false };
    await timersFirst();
    leave.throwIfAborted();
    try {
      // Slack requires the user who sees the message grow, except in direct messages.
      const recipient = { user_id: record.user_id, team_id: record.author_teams[0] ?? record.team_id };
      const opening = { chunks: firstChunks, recipient: channel.startsWith("D") ? undefined : recipient };
      const { ts } = await slack.startStream({ channel, thread_ts }, opening);
      return { stream: liveStream(this.#deps, { channel, ts }, place) };
    } catch (error) {
      await pace.end(place).catch(() => undefined);
      if (!(error instanceof SlackCallError)) throw error;
      this.#refusals.add(channel, error);
      return { doubtful: error.failure === "unavailable", error };
    }
  }
}

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
export class StreamRefusals {
  readonly #clock: Clock;
  readonly #until = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns true if Slack has recently refused a stream in this channel. */
  has(channel: string): boolean {
    return this.#holds(wholeWorkspace) || this.#holds(channel);
  }

  add(channel: string, { failure, code, retryAfterMs }: SlackCallError): void {
    if (failure === "unavailable" || ofOneThread.has(code)) return;
    const isLimit = failure === "rate_limited";
    const key = isLimit || everywhere.has(code) ? wholeWorkspace : channel;
    this.#until.set(key, this.#clock.now() + (isLimit ? (retryAfterMs ?? limitedMs) : refusedMs));
  }

  #holds(key: string): boolean {
    const isOver = (this.#until.get(key) ?? 0) <= this.#clock.now();
    if (isOver) this.#until.delete(key);
    return !isOver;
  }
}
