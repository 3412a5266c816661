import { type Clock, noLonger, unlessAborted } from "@crosszone/service-kit/timing";
import { SlackCallError } from "../slack/slack-call-error.ts";
import { composeWorking, type ShownSoFar } from "./markdown/compose-answer.ts";

/**
 * Limits edits of messages in one workspace. Slack accepts about 50 edits a minute per app and workspace, plus short bursts. Answers are
 * edits too, so this leaves room for them. https://docs.slack.dev/reference/methods/chat.update
 * https://docs.slack.dev/apis/web-api/rate-limits
 */
export type EditPace = ReturnType<typeof createEditPace>;

const burst = 10;
const editEveryMs = 2_000;

/** A pace for one workspace. */
export function createEditPace(clock: Clock) {
  /** When the edits granted so far are paid for, unix milliseconds. */
  let paidAt = 0;
  let pausedUntil = 0;
  let lastInLine: Promise<void> = Promise.resolve();
  const wait = (): number => Math.max(pausedUntil, paidAt - (burst - 1) * editEveryMs) - clock.now();
  return {
    /** Resolves when the caller can edit one message once. Waiting callers proceed in order. */
    turn: async (signal: AbortSignal): Promise<void> => {
      signal.throwIfAborted();
      const before = lastInLine;
      const { promise, resolve: leave } = Promise.withResolvers<void>();
      lastInLine = promise;
      try {
        await unlessAborted(before, signal);
        for (let ms = wait(); ms > 0; ms = wait()) await clock.sleep(ms, signal);
        paidAt = Math.max(paidAt, clock.now()) + editEveryMs;
      } finally {
        // A caller that leaves the queue does not let later callers overtake earlier ones.
        void before.then(leave);
      }
    },
    /** Pauses all edits for `ms` milliseconds, as Slack requested. */
    pause: (ms: number): void => {
      pausedUntil = Math.max(pausedUntil, clock.now() + ms);
    },
  };
}

export interface StepDisplayDeps {
  readonly clock: Clock;
  readonly pace: EditPace;
  readonly work: () => ShownSoFar;
  /** Edits the message, without retries. */
  readonly edit: (markdown: string) => Promise<void>;
  /** Aborts when nothing more is to be shown. */
  readonly until: AbortSignal;
}

/** Shows a task's progress and the beginning of its answer in one message. Decoration: failures are ignored. */
export type StepDisplay = ReturnType<typeof createStepDisplay>;

/** Minimum time between edits of one message, milliseconds. */
const everyMs = 1_000;
/** Pause of all edits after Slack failed without a retry time, milliseconds. */
const troubleMs = 5_000;

/** Makes the display of one task. It stops once Slack refuses to edit the message. */
export function createStepDisplay({ clock, pace, work, edit, until }: StepDisplayDeps) {
  const over = new AbortController();
  const signal = AbortSignal.any([until, over.signal]);
  let shown: string | undefined;
  let isDrawing = false;
  let drawing: Promise<void> | undefined;

  /** Draws the latest state. Rejects when nothing more is to be shown. */
  async function draw(): Promise<void> {
    isDrawing = true;
    while (composeWorking(work()) !== shown) {
      await pace.turn(signal);
      const text = composeWorking(work());
      try {
        await edit(text);
        shown = text;
      } catch (error) {
        if (!(error instanceof SlackCallError) || error.failure === "refused") throw error;
        pace.pause(error.retryAfterMs ?? troubleMs);
      }
      await clock.sleep(everyMs, signal);
    }
    isDrawing = false;
  }

  return {
    /** Shows soon what has changed. */
    changed: (): void => {
      if (!isDrawing) drawing = draw().catch(() => undefined);
    },
    /** Stops further edits; resolves when no edit is in progress. Never rejects. */
    end: async (): Promise<void> => {
      over.abort(noLonger);
      await drawing;
    },
  };
}
