import type { AgentRecord } from "@crosszone/contracts";
import type { BridgeObserver } from "../bridge-observer.ts";
import type { TakenCall } from "../calls/agent-call.ts";
import { chooseWay } from "../canary/chosen-way.ts";
import type { CallShare, CallStore } from "../calls/call-store.ts";
import type { AgentRegistry } from "../registry/agent-registry.ts";
import { wayOf } from "../registry/agent-way.ts";
import type { AgentSlots } from "../slots/agent-slots.ts";
import { shareRoom, type Seat } from "./share-room.ts";
import type { Look, Turns } from "./turns.ts";

export interface TakeCallsDeps {
  readonly store: Pick<CallStore, "waitingAgents" | "take" | "keepWays" | "leaseMs">;
  readonly registry: Pick<AgentRegistry, "find">;
  readonly slots: Pick<AgentSlots, "take" | "free">;
  readonly observer: BridgeObserver;
  readonly turns: Pick<Turns, "look">;
  /** Returns how many more calls this process can run. */
  readonly roomLeft: () => number;
  /** See `TakeOptions`. */
  readonly running: () => readonly string[] | undefined;
  /** `release` frees the call's slot. */
  readonly run: (taken: TakenCall, agent: AgentRecord | undefined, release: () => void) => void;
}

/**
 * What remains after a take: `more` calls can be taken at once; `full`: more when a call has ended here; `nothing`: no
 * calls wait.
 */
export type Leftover = "more" | "full" | "nothing";

/** Calls per statement. */
const most = 100;

/**
 * Returns a function that takes waiting calls once and runs them here. After the store was unreachable, it first gives
 * every process time to renew its leases.
 */
export function takeCalls(deps: TakeCallsDeps): () => Promise<Leftover> {
  const { store, registry, slots, observer, turns, roomLeft, running, run } = deps;
  let quietUntil = 0;

  async function take(look: Look): Promise<Leftover> {
    if (roomLeft() <= 0) {
      look.foundNoRoom();
      return "full";
    }
    const onlyNobodys = performance.now() < quietUntil;
    const waiting = await store.waitingAgents({ onlyNobodys });
    look.found(waiting);
    if (waiting.length === 0) return "nothing";
    const agents = new Map<string, AgentRecord | undefined>();
    for (const name of waiting) agents.set(name, await registry.find(name));
    // No await between here and taking the slots.
    const room = Math.min(most, roomLeft());
    const seats = waiting.map((name) => ({ agent: name, free: freeOf(agents.get(name), room) }));
    const shares = shareRoom(room, seats);
    const held = takeSlots(shares, agents);
    try {
      const found = await store.take(shares, { running: running(), onlyNobodys });
      const taken = await withWays(found, agents);
      // No registered agent has a name that the column can't store.
      for (const call of taken) {
        const { agent_name } = call.task;
        run(call, agents.get(agent_name), held.get(agent_name)?.pop() ?? (() => undefined));
      }
      return judge(look, seats, { shares, taken });
    } finally {
      for (const release of [...held.values()].flat()) release();
    }
  }

  /** Stores how new calls are sent before they are sent, so that another process continues them the same way. */
  async function withWays(
    calls: readonly TakenCall[],
    agents: ReadonlyMap<string, AgentRecord | undefined>,
  ): Promise<readonly TakenCall[]> {
    const chosen = calls.map((call) => {
      const agent = agents.get(call.task.agent_name);
      if (call.way !== undefined || agent === undefined) return call;
      // Only a process of an earlier version has sent it without storing how: then it was the agent's own way.
      return { ...call, way: call.remoteId === undefined ? chooseWay(agent, call.task) : wayOf(agent) };
    });
    const isNew = (call: TakenCall, index: number): boolean => call.way !== calls[index]?.way;
    await store.keepWays(chosen.filter(isNew).flatMap((held) => (held.way ? [{ held, way: held.way }] : [])));
    return chosen;
  }

  /** A call that can't run needs no slot: it fails at once. */
  const freeOf = (agent: AgentRecord | undefined, room: number): number => (agent?.enabled ? slots.free(agent) : room);

  /** Slots are taken before the calls, so that a newly arriving call can't start in their place. */
  function takeSlots(
    shares: readonly CallShare[],
    agents: ReadonlyMap<string, AgentRecord | undefined>,
  ): Map<string, (() => void)[]> {
    const slotsOf = ({ agent: name, most: count }: CallShare): (() => void)[] => {
      const agent = agents.get(name);
      if (!agent?.enabled) return [];
      return Array.from({ length: count }, () => slots.take(agent)).filter((release) => release !== undefined);
    };
    return new Map(shares.map((share) => [share.agent, slotsOf(share)]));
  }

  return async () => {
    const look = turns.look();
    try {
      return await take(look);
    } catch (cause) {
      look.foundNoRoom();
      quietUntil = performance.now() + store.leaseMs;
      observer.storeFailed("take", cause);
      return "nothing";
    }
  };
}

/**
 * An agent that got as many calls as requested may have more: they wait for its slots or, if it has some left, for room
 * in the process.
 */
function judge(
  look: Look,
  seats: readonly Seat[],
  { shares, taken }: { readonly shares: readonly CallShare[]; readonly taken: readonly TakenCall[] },
): Leftover {
  const asked = new Map(shares.map(({ agent, most: count }) => [agent, count]));
  const got = new Map<string, number>();
  for (const { task } of taken) got.set(task.agent_name, (got.get(task.agent_name) ?? 0) + 1);
  const more = seats.filter(({ agent }) => (got.get(agent) ?? 0) >= (asked.get(agent) ?? 0));
  if (more.some(({ agent, free }) => (asked.get(agent) ?? 0) < free)) look.foundNoRoom();
  else look.found(more.map(({ agent }) => agent));
  const all = shares.reduce((sum, share) => sum + share.most, 0);
  return all > 0 && taken.length === all ? "more" : "full";
}
