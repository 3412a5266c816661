import { atMost, type Clock } from "@crosszone/service-kit/timing";
import type { ShownSoFar } from "../markdown/compose-answer.ts";
import type { StreamEnding } from "../../slack/slack-api.ts";
import { SlackCallError } from "../../slack/slack-call-error.ts";
import type { LiveStream } from "./streams.ts";
import { createStreamLedger, type StreamEnd } from "./stream-ledger.ts";
import { isStreamEnded, type StreamTrouble, troubleOf } from "../send-once.ts";

interface StreamDisplayDeps {
  readonly clock: Clock;
  readonly stream: LiveStream;
  readonly work: () => ShownSoFar;
  readonly mark: StreamEnding["mark"];
  /** Aborts when nothing more is to be shown. */
  readonly until: AbortSignal;
  /** Called when a person ended the stream. */
  readonly onStopped: () => void;
  /** Called when the stream accepts no more text. */
  readonly onTrouble: (error: unknown, trouble: Exclude<StreamTrouble, "wait">) => void;
  /** Called when the message must be edited instead: it accepts no more text. May never be called. */
  readonly onLeft: () => void;
}

/** Shows a task's progress and its growing answer in a streamed message. Decoration: its failures are ignored. */
export type StreamDisplay = ReturnType<typeof createStreamDisplay>;

/** Minimum time between appends to one message, milliseconds. */
const everyMs = 750;
/** The pause after a rate limit without a time, milliseconds. */
const limitedMs = 5_000;
/** Slack ends a stream about five minutes after its start, even if it is active. This zone ends it at this age, milliseconds. */
const longestStreamMs = 270_000;

interface DisplayState extends StreamDisplayDeps {
  readonly ledger: ReturnType<typeof createStreamLedger>;
  /** Aborts when nothing more is to be appended. */
  readonly signal: AbortSignal;
  /** True while the stream accepts appends. */
  isLive: boolean;
  /** Resolves when content changes. */
  news: PromiseWithResolvers<void>;
}

/** Makes the display of one task. */
export function createStreamDisplay(deps: StreamDisplayDeps) {
  const over = new AbortController();
  const state: DisplayState = {
    ...deps,
    ledger: createStreamLedger(),
    signal: AbortSignal.any([deps.until, over.signal]),
    isLive: true,
    news: Promise.withResolvers<void>(),
  };
  const { ledger, mark, stream } = state;
  // A question may have ended before its stream began.
  if (state.signal.aborted) state.news.resolve();
  else state.signal.addEventListener("abort", () => state.news.resolve());
  const running = appendUntilOver(state).catch(() => undefined);
  return {
    /** Shows soon what has changed. */
    changed: (): void => state.news.resolve(),
    /** Stops appending; resolves when no append is in progress. Never rejects. */
    end: async (): Promise<void> => {
      over.abort();
      await running;
    },
    /**
     * Ends a live stream with its final content. Resolves with true if the message is then the whole answer with this mark, so that it needs no
     * edit. Never rejects.
     */
    finish: async (end: StreamEnd, finalMark: StreamEnding["mark"]): Promise<boolean> => {
      if (!state.isLive) return false;
      const { chunks, isWhole } = ledger.ending(end);
      const below = isWhole ? { mark: finalMark, footer: end.footer, controls: end.controls } : { mark };
      const stopping = stream.stop({ session_status: "active", chunks, ...below });
      const stopped = await stopping.then(() => true).catch(() => false);
      await close(state);
      return isWhole && stopped;
    },
  };
}

/** Appends new content until nothing more is to be appended, or can be. */
async function appendUntilOver(state: DisplayState): Promise<void> {
  const { stream, clock, signal } = state;
  const endsAt = stream.startedAt + longestStreamMs;
  for (let isGrowing = true; isGrowing;) {
    await atMost(Math.max(0, endsAt - clock.now()), state.news.promise, clock);
    signal.throwIfAborted();
    if (clock.now() >= endsAt) return await continueByEdits(state);
    isGrowing = await appendOnce(state);
  }
}

/** Appends once, unless nothing is new. Resolves with true if the stream accepts more. */
async function appendOnce(state: DisplayState): Promise<boolean> {
  const { stream, ledger, work, signal, clock } = state;
  if (ledger.next(work()) === undefined) {
    signal.throwIfAborted();
    state.news = Promise.withResolvers();
    return true;
  }
  await stream.turn(signal);
  const addition = ledger.next(work());
  if (addition === undefined) return true;
  try {
    await stream.append(addition.chunks);
    addition.taken();
  } catch (error) {
    const trouble = troubleOf(error);
    if (trouble === "wait") {
      await stream.pause((error instanceof SlackCallError ? error.retryAfterMs : undefined) ?? limitedMs);
      return true;
    }
    state.onTrouble(error, trouble);
    if (trouble === "edit") await continueByEdits(state, isStreamEnded(error));
    if (trouble === "stop") state.onStopped();
    if (trouble !== "edit") await close(state);
    return false;
  }
  await clock.sleep(everyMs, signal);
  return true;
}

/** Ends the stream, so that its message can be edited. A stream that cannot be ended now is ended before the first edit. */
async function continueByEdits(state: DisplayState, isOver = false): Promise<void> {
  if (!isOver) await state.stream.stop({ mark: state.mark, session_status: "processing" }).catch(() => undefined);
  await close(state);
  state.onLeft();
}

async function close(state: DisplayState): Promise<void> {
  state.isLive = false;
  await state.stream.release();
}
