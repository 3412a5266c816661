import type { Check } from "./check.ts";
import { describeReached, describeReachError, type Peer } from "./describe-reach.ts";
import { ReachError, type Reach, type Reached, type ReachOptions } from "./reach.ts";

export interface ReachableCheck {
  readonly check: Check;
  /** What the check saw, for checks that need it: absent until it passed. */
  readonly seen: () => Reached | undefined;
}

export interface ReachableOptions {
  /** Asked for when the check runs: the variables that name it may be unreadable before. */
  readonly peer: () => Peer;
  readonly reach: Reach;
  /** Asked for when the check runs, too. */
  readonly tls?: () => ReachOptions["tls"];
}

/** Whether a peer can be reached at all: DNS, TCP, TLS, and any answer over HTTP. */
export function checkReachable(
  check: Omit<Check, "run">,
  { peer: peerOf, reach, tls }: ReachableOptions,
): ReachableCheck {
  let reached: Reached | undefined;
  return {
    seen: () => reached,
    check: {
      ...check,
      run: async () => {
        const peer = peerOf();
        const material = tls?.();
        try {
          reached = await reach(peer.url, { timeoutMs: 10_000, ...(material && { tls: material }) });
          return describeReached(reached, peer);
        } catch (error) {
          if (error instanceof ReachError) return describeReachError(error, peer);
          throw error;
        }
      },
    },
  };
}
