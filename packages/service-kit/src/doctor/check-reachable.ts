import type { Check } from "./check.ts";
import { describeReached, describeReachError, type Peer } from "./describe-reach.ts";
import { ReachError, type Reach, type Reached, type ReachOptions } from "./reach.ts";

export interface ReachableCheck {
  readonly check: Check;
  /** The result for dependent checks; undefined until the check has passed. */
  readonly seen: () => Reached | undefined;
}

export interface ReachableOptions {
  /** Called when the check runs, because its variables may be invalid before. */
  readonly peer: () => Peer;
  readonly reach: Reach;
  /** Called when the check runs. */
  readonly tls?: () => ReachOptions["tls"];
}

/** Checks that a peer can be reached: DNS, TCP, TLS, and any HTTP response. */
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
