import type { TaskProgress } from "@crosszone/contracts";
import { atMost, type Clock } from "@crosszone/service-kit/timing";
import type { StreamEnding } from "../../slack/slack-api.ts";
import { SlackCallError } from "../../slack/slack-call-error.ts";
import type { LiveStream } from "./start-streams.ts";
import { createStreamLedger, type StreamEnd, type StreamLedger } from "./stream-ledger.ts";
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
  /**
   * Ends a live stream with its final content. Resolves with true if the message is then the whole answer with this mark, so that it needs no
   * edit. Never rejects.
   */
  finish(end: StreamEnd, mark: StreamEnding["mark"]): Promise<boolean>;
}

/** Minimum time between appends to one message, milliseconds. */
const everyMs = 750;
/** The pause after a rate limit without a time, milliseconds. */
const limitedMs = 5_000;
/** Slack ends a stream about five minutes after its start, even if it is active. This zone ends it at this age, milliseconds. */
export const longestStreamMs = 270_000;

/** The state of one display. */
interface DisplayState extends StreamDisplayDeps {
  readonly ledger: StreamLedger;
  /** Aborts when nothing more is to be appended. */
  readonly signal: AbortSignal;
  /** The stream that accepts appends. */
  live: LiveStream | undefined;
  /** Resolves when content changes. */
  news: PromiseWithResolvers<void>;
  /** The message must be edited from then on. */
  readonly leave: () => void;
}

/** Makes the display of one task. */
export function createStreamDisplay(deps: StreamDisplayDeps): StreamDisplay {
  const over = new AbortController();
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  const state: DisplayState = {
    ...deps,
    ledger: createStreamLedger(),
    signal: AbortSignal.any([deps.until, over.signal]),
    live: undefined,
    news: Promise.withResolvers<void>(),
    leave,
  };
  const { ledger, mark } = state;
  state.signal.addEventListener("abort", () => state.news.resolve());
  const running = appendUntilOver(state).catch(() => undefined);
  return {
    show: (progress) => {
      ledger.show(progress);
      state.news.resolve();
    },
    write: (text) => {
      ledger.write(text);
      state.news.resolve();
    },
    admit: ledger.admit,
    left,
    end: async () => {
      over.abort();
      await running;
    },
    finish: async (end, finalMark) => {
      const { live } = state;
      if (live === undefined) return false;
      const { chunks, isWhole } = ledger.ending(end);
      const ending = { session_status: "active" as const, chunks };
      const stopped = await live
        .stop(isWhole ? { ...ending, mark: finalMark, footer: end.footer } : { ...ending, mark })
        .then(
          () => true,
          () => false,
        );
      await close(state, live);
      return isWhole && stopped;
    },
  };
}

/** Appends new content until nothing more is to be appended, or can be. */
async function appendUntilOver(state: DisplayState): Promise<void> {
  const { opened, clock, signal } = state;
  const stream = await opened;
  state.live = stream;
  if (stream === undefined) return state.leave();
  const endsAt = stream.startedAt + longestStreamMs;
  for (let isGrowing = true; isGrowing;) {
    await atMost(Math.max(0, endsAt - clock.now()), state.news.promise, clock);
    signal.throwIfAborted();
    if (clock.now() >= endsAt) return await continueByEdits(state, stream);
    isGrowing = await appendOnce(state, stream);
  }
}

/** Appends once, unless nothing is new. Resolves with true if the stream accepts more. */
async function appendOnce(state: DisplayState, stream: LiveStream): Promise<boolean> {
  const { ledger, signal, clock } = state;
  if (ledger.next() === undefined) {
    signal.throwIfAborted();
    state.news = Promise.withResolvers();
    return true;
  }
  await stream.turn(signal);
  const addition = ledger.next();
  if (addition === undefined) return true;
  try {
    await stream.append(addition.chunks);
    addition.taken();
  } catch (error) {
    return await handleTrouble(state, stream, error);
  }
  await clock.sleep(everyMs, signal);
  return true;
}

/** Handles the error of an append. Resolves with true if the stream accepts more. */
async function handleTrouble(state: DisplayState, stream: LiveStream, error: unknown): Promise<boolean> {
  const trouble = troubleOf(error);
  if (trouble === "wait") {
    await stream.pause((error instanceof SlackCallError ? error.retryAfterMs : undefined) ?? limitedMs);
    return true;
  }
  state.onTrouble(error, trouble);
  if (trouble === "edit") await continueByEdits(state, stream, hasEnded(error));
  if (trouble === "stop") state.onStopped();
  if (trouble !== "edit") await close(state, stream);
  return false;
}

/** Ends the stream, so that its message can be edited. A stream that cannot be ended now is ended before the first edit. */
async function continueByEdits(state: DisplayState, stream: LiveStream, isOver = false): Promise<void> {
  if (!isOver) await stream.stop({ mark: state.mark, session_status: "processing" }).catch(() => undefined);
  await close(state, stream);
  state.leave();
}

async function close(state: DisplayState, stream: LiveStream): Promise<void> {
  state.live = undefined;
  await stream.release();
}
