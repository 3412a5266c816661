import type { Clock } from "../clock.ts";
import { unlessAborted } from "@crosszone/service-kit";

/**
 * When messages may be changed to show how far something is. Slack takes about 50 changes a minute of one app in one workspace, with
 * some room for bursts, and answers are such changes too: this leaves them some.
 * https://docs.slack.dev/reference/methods/chat.update https://docs.slack.dev/apis/web-api/rate-limits
 */
export interface EditPace {
  /** Resolves when it is the caller's turn to change one message once; those who wait get their turns in order. */
  turn(signal: AbortSignal): Promise<void>;
  /** Nobody has a turn for so long, milliseconds: Slack has asked for it. */
  pause(ms: number): void;
}

const burst = 10;
const everyMs = 2_000;

/** A pace for one workspace. */
export function createEditPace(clock: Clock): EditPace {
  /** When all turns that were given are paid for; unix milliseconds. */
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
        // Who leaves the line is no reason to overtake those before.
        void before.then(leave);
      }
    },
    pause: (ms) => {
      pausedUntil = Math.max(pausedUntil, clock.now() + ms);
    },
  };
}
