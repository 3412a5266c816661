import type { SlackApi, StreamChunk, StreamEnding } from "../../slack/slack-api.ts";
import type { Clock } from "../../time/clock.ts";
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

export interface LiveStreamParts {
  readonly slack: Pick<SlackApi, "appendStream" | "stopStream">;
  readonly clock: Clock;
  readonly pace: StreamPace;
}

/** Wait for a turn while the pace is unavailable, milliseconds. */
const unknownTurnMs = 5_000;

/** Makes the stream `ts` of a channel, which occupies a place. */
export function createLiveStream(
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
