import type { Clock } from "../../time/clock.ts";
import { unlessAborted } from "@crosszone/service-kit";

/**
 * Limits edits of messages in one workspace. Slack accepts about 50 edits a minute per app and workspace, plus short bursts. Answers are
 * edits too, so this leaves room for them. https://docs.slack.dev/reference/methods/chat.update
 * https://docs.slack.dev/apis/web-api/rate-limits
 */
export interface EditPace {
  /** Resolves when the caller can edit one message once. Waiting callers proceed in order. */
  turn(signal: AbortSignal): Promise<void>;
  /** Pauses all edits for `ms` milliseconds, as Slack requested. */
  pause(ms: number): void;
}

const burst = 10;
const everyMs = 2_000;

/** A pace for one workspace. */
export function createEditPace(clock: Clock): EditPace {
  /** When the edits granted so far are paid for, unix milliseconds. */
  let paidAt = 0;
  let pausedUntil = 0;
  let lastInLine: Promise<void> = Promise.resolve();
  const wait = (): number => Math.max(pausedUntil, paidAt - (burst - 1) * everyMs) - clock.now();
  return {
    turn: async (signal) => {
      signal.throwIfAborted();
      const before = lastInLine;
      const { promise, resolve: leave } = Promise.withResolvers<void>();
      lastInLine = promise;
      try {
        await unlessAborted(before, signal);
        for (let ms = wait(); ms > 0; ms = wait()) await clock.sleep(ms, signal);
        paidAt = Math.max(paidAt, clock.now()) + everyMs;
      } finally {
        // A caller that leaves the queue does not let later callers overtake earlier ones.
        void before.then(leave);
      }
    },
    pause: (ms) => {
      pausedUntil = Math.max(pausedUntil, clock.now() + ms);
    },
  };
}
