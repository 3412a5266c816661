import type { AgentRecord } from "@crosszone/contracts";
import type { BridgeObserver } from "../bridge-observer.ts";
import type { TakenCall } from "../calls/agent-call.ts";
import type { CallStore } from "../calls/call-store.ts";
import type { AgentRegistry } from "../registry/agent-registry.ts";
import type { AgentSlots } from "../slots/agent-slots.ts";
import { shareRoom } from "./share-room.ts";

export interface TakeCallsDeps {
  readonly store: Pick<CallStore, "waitingAgents" | "take" | "leaseMs">;
  readonly registry: Pick<AgentRegistry, "find">;
  readonly slots: Pick<AgentSlots, "free">;
  readonly observer: BridgeObserver;
  /** How many calls this process can run beside those that it runs. */
  readonly roomLeft: () => number;
  /** See `TakeOptions`. */
  readonly running: () => readonly string[] | undefined;
  readonly run: (taken: TakenCall, agent: AgentRecord | undefined) => void;
}

/** What a look for calls has left: `more` may be taken at once; `full` as soon as a call has ended here; nothing waits. */
export type Leftover = "more" | "full" | "nothing";

/** Calls of one statement. */
const most = 100;

/**
 * One look for calls that wait, and runs them here. When the store could not be reached, no other process could renew a lease either:
 * then what others held is left alone before everybody had the time to.
 */
export function takeCalls(deps: TakeCallsDeps): () => Promise<Leftover> {
  const { store, registry, slots, observer, roomLeft, running, run } = deps;
  let quietUntil = 0;

  async function take(): Promise<Leftover> {
    const room = Math.min(most, roomLeft());
    if (room <= 0) return "full";
    const onlyNobodys = performance.now() < quietUntil;
    const waiting = await store.waitingAgents({ onlyNobodys });
    if (waiting.length === 0) return "nothing";
    const agents = new Map<string, AgentRecord | undefined>();
    for (const name of waiting) agents.set(name, await registry.find(name));
    const seats = waiting.map((name) => ({ agent: name, free: freeOf(agents.get(name), room) }));
    const shares = shareRoom(room, seats);
    const taken = await store.take(shares, { running: running(), onlyNobodys });
    // Who asks for an agent by a name that no column takes asks for none that is registered.
    for (const call of taken) run(call, agents.get(call.task.agent_name));
    const asked = shares.reduce((sum, share) => sum + share.most, 0);
    return asked > 0 && taken.length === asked ? "more" : "full";
  }

  /** What nobody does takes no slot: it fails at once. */
  const freeOf = (agent: AgentRecord | undefined, room: number): number => (agent?.enabled ? slots.free(agent) : room);

  return async () => {
    try {
      return await take();
    } catch (cause) {
      quietUntil = performance.now() + store.leaseMs;
      observer.storeFailed("take", cause);
      return "nothing";
    }
  };
}
