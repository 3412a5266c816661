import { failed, passed, skipped, warned, type Check } from "./check.ts";
import type { Reached } from "./reach.ts";

export interface ClockCheck {
  /** Whose clock this machine's is compared with. */
  readonly peer: string;
  /** What the peer showed of itself. */
  readonly seen: () => Reached | undefined;
  /** What goes wrong when the clocks differ. */
  readonly consequence: string;
  /** From so many seconds on it does go wrong; absent when nothing breaks. */
  readonly limitSeconds?: number;
}

const worthAWordSeconds = 30;
const todo = "Set the clock of this machine by NTP, and the peer's too if it is yours.";

/** Compares this machine's clock with the `Date` of a peer's answer. Right to about a second, for a `Date` has no fractions. */
export function checkClock(
  check: Omit<Check, "run">,
  { peer, seen, consequence, limitSeconds = Infinity }: ClockCheck,
): Check {
  return {
    ...check,
    run: () => {
      const { http, sentAt = 0, receivedAt = 0 } = seen() ?? {};
      if (http?.date === undefined) return skipped(`the answer of ${peer} has no Date`);
      const seconds = Math.round((http.date.getTime() + 500 - (sentAt + receivedAt) / 2) / 1_000);
      const distance = Math.abs(seconds);
      if (distance <= 1) return passed(`agrees with ${peer}`);
      const says = `this machine is ${distance} s ${seconds > 0 ? "behind" : "ahead of"} ${peer}`;
      if (distance >= limitSeconds) return failed(`${says}: ${consequence}`, todo);
      const limit = limitSeconds === Infinity ? "" : `, from ${limitSeconds} s on`;
      return distance >= worthAWordSeconds ? warned(`${says}; ${consequence}${limit}`, todo) : passed(says);
    },
  };
}
