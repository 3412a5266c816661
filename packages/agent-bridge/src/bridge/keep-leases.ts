import { AgentFailure } from "../agent-failure.ts";
import type { BridgeObserver } from "../bridge-observer.ts";
import type { CallStore } from "../calls/call-store.ts";
import { CallReleased } from "./call-released.ts";
import type { CallRun } from "./call-run.ts";

export interface KeepLeasesDeps {
  readonly store: Pick<CallStore, "renew" | "lost" | "leaseMs">;
  readonly observer: BridgeObserver;
  readonly runs: () => readonly CallRun[];
}

/**
 * Returns a function that checks all calls of this process once: renews leases when a third of their time has passed,
 * and stops calls that were canceled or taken over.
 */
export function keepLeases({ store, observer, runs }: KeepLeasesDeps): () => Promise<void> {
  let renewAt = 0;
  return async () => {
    const held = runs();
    if (held.length === 0) return;
    try {
      if (performance.now() >= renewAt) {
        await store.renew(held);
        renewAt = performance.now() + store.leaseMs / 3;
      }
      // The result of an ending call is being stored, and the store itself checks the lease.
      const working = held.filter(({ isEnding }) => !isEnding);
      const lost = new Map((await store.lost(working)).map(({ id, state }) => [id, state]));
      for (const run of working) if (lost.has(run.id) && !run.isEnding) letGo(run, lost.get(run.id));
    } catch (cause) {
      observer.storeFailed("renew", cause);
    }
  };
}

function letGo(run: CallRun, state: string | undefined): void {
  if (state === "canceled") {
    run.drop(new AgentFailure("canceled", "The task was canceled."));
    run.tellLetGo("canceled");
  } else {
    run.drop(new CallReleased("another process has taken the call over"));
    run.tellLetGo("taken_over");
  }
}
