import type { TaskProgress } from "@crosszone/contracts";
import type { StreamEnding } from "../../slack/slack-api.ts";
import { SlackCallError } from "../../slack/slack-call-error.ts";
import { atMost, type Clock } from "../../time/clock.ts";
import type { LiveStream } from "./live-stream.ts";
import { createStreamLedger } from "./stream-ledger.ts";
import { hasEnded, type StreamTrouble, troubleOf } from "./stream-trouble.ts";

export interface StreamDisplayDeps {
  readonly clock: Clock;
  /** Resolves with the stream to show it in; undefined if there is none. */
  readonly opened: Promise<LiveStream | undefined>;
  readonly mark: StreamEnding["mark"];
  /** Aborts when nothing more is to be shown. */
  readonly until: AbortSignal;
  /** Called when a person ended the stream. */
  readonly onStopped: () => void;
  /** Called when the stream accepts no more text. */
  readonly onTrouble: (error: unknown, trouble: Exclude<StreamTrouble, "wait">) => void;
}

/** Shows a task's progress and its growing answer in a streamed message. Decoration: its failures are ignored. */
export interface StreamDisplay {
  readonly show: (progress: TaskProgress) => void;
  readonly write: (text: string) => void;
  readonly admit: (people: ReadonlySet<string>) => void;
  /** Resolves when the message must be edited instead: no stream was started, or it accepts no more text. May never resolve. */
  readonly left: Promise<void>;
  /** Stops appending; resolves when no append is in progress. Never rejects. */
  end(): Promise<void>;
  /** Ends a live stream with the missing rest of the final text. Never rejects. */
  finish(final: string): Promise<void>;
}

/** Minimum time between appends to one message, milliseconds. */
const everyMs = 750;
/** The pause after a rate limit without a time, milliseconds. */
const limitedMs = 5_000;
/** Slack ends a stream about five minutes after its start, even if it is active. This zone ends it at this age, milliseconds. */
export const longestStreamMs = 270_000;

/** Makes the display of one task. */
export function createStreamDisplay(deps: StreamDisplayDeps): StreamDisplay {
  const { clock, opened, mark, until, onStopped, onTrouble } = deps;
  const over = new AbortController();
  const signal = AbortSignal.any([until, over.signal]);
  const ledger = createStreamLedger();
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  let news = Promise.withResolvers<void>();
  let live: LiveStream | undefined;
  signal.addEventListener("abort", () => news.resolve());
  const running = run().catch(() => undefined);

  /** Appends new content until nothing more is to be appended, or can be. */
  async function run(): Promise<void> {
    live = await opened;
    if (live === undefined) return leave();
    const endsAt = live.startedAt + longestStreamMs;
    for (let isGrowing = true; isGrowing;) {
      await atMost(Math.max(0, endsAt - clock.now()), news.promise, clock);
      signal.throwIfAborted();
      if (clock.now() >= endsAt) return await goOn(live);
      isGrowing = await grow(live);
    }
  }

  /** Appends once, unless nothing is new. Resolves with true if the stream accepts more. */
  async function grow(stream: LiveStream): Promise<boolean> {
    if (ledger.next() === undefined) {
      signal.throwIfAborted();
      news = Promise.withResolvers();
      return true;
    }
    await stream.turn(signal);
    const addition = ledger.next();
    if (addition === undefined) return true;
    try {
      await stream.append(addition.chunks);
      addition.taken();
    } catch (error) {
      return await meet(error, stream);
    }
    await clock.sleep(everyMs, signal);
    return true;
  }

  async function meet(error: unknown, stream: LiveStream): Promise<boolean> {
    const trouble = troubleOf(error);
    if (trouble === "wait") {
      await stream.pause((error instanceof SlackCallError ? error.retryAfterMs : undefined) ?? limitedMs);
      return true;
    }
    onTrouble(error, trouble);
    if (trouble === "edit") await goOn(stream, hasEnded(error));
    if (trouble === "stop") onStopped();
    if (trouble !== "edit") await closed(stream);
    return false;
  }

  /** Ends the stream, so that its message can be edited. A stream that cannot be ended now is ended before the first edit. */
  async function goOn(stream: LiveStream, isOver = false): Promise<void> {
    if (!isOver) await stream.stop({ mark, session_status: "processing" }).catch(() => undefined);
    await closed(stream);
    leave();
  }

  async function closed(stream: LiveStream): Promise<void> {
    live = undefined;
    await stream.release();
  }

  return {
    show: (progress) => {
      ledger.show(progress);
      news.resolve();
    },
    write: (text) => {
      ledger.write(text);
      news.resolve();
    },
    admit: ledger.admit,
    left,
    end: async () => {
      over.abort();
      await running;
    },
    finish: async (final) => {
      if (live === undefined) return;
      await live.stop({ mark, session_status: "active", chunks: ledger.rest(final) }).catch(() => undefined);
      await closed(live);
    },
  };
}
