import { failed, passed, skipped, warned, type Check } from "./check.ts";
import type { Reached } from "./reach.ts";

export interface ClockCheck {
  /** The server whose clock is compared with this machine's. */
  readonly peer: string;
  /** The result of the reachability check. */
  readonly seen: () => Reached | undefined;
  /** The effect of a wrong clock. */
  readonly consequence: string;
  /** From this difference on, requests fail; absent when nothing fails. */
  readonly limitSeconds?: number;
}

const worthAWordSeconds = 30;
const todo = "Synchronize the clock of this machine by NTP, and the peer's too if it is yours.";

/** Compares this machine's clock with the `Date` header of a peer's response. Accurate to about one second. */
export function checkClock(
  check: Omit<Check, "run">,
  { peer, seen, consequence, limitSeconds = Infinity }: ClockCheck,
): Check {
  return {
    ...check,
    run: () => {
      const { http, sentAt = 0, receivedAt = 0 } = seen() ?? {};
      if (http?.date === undefined) return skipped(`the response of ${peer} has no Date header`);
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
