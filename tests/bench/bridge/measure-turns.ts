import type { AgentGroupName } from "../agents/agents.ts";
import { runLoad, withPeer, type Bench } from "./measure-peer.ts";
import type { BusName, Subject } from "./peers.ts";
import type { LoadOrder, LoadResult } from "./task-load.ts";

/** One window of two that are compared with each other, in the same process, in turns. */
export interface Turn<Which extends string> extends Subject, LoadResult {
  readonly which: Which;
  readonly turn: number;
}

/** A B, B A, A B …: what the machine does meanwhile is done to both. */
async function inTurns<Which extends string>(
  subject: Subject,
  bench: Bench,
  orders: Readonly<Record<Which, LoadOrder>>,
): Promise<Turn<Which>[]> {
  const names = Object.keys(orders) as Which[];
  return withPeer(subject, bench, async (worker) => {
    for (const which of names) await runLoad(worker, { ...orders[which], ms: bench.plan.warmUpMs });
    const found: Turn<Which>[] = [];
    for (let turn = 0; turn < bench.plan.turns; turn++)
      for (const which of turn % 2 === 0 ? names : names.toReversed())
        found.push({ ...subject, which, turn, ...(await runLoad(worker, orders[which])) });
    return found;
  });
}

export type ProtocolTurn = Turn<"jsonrpc-2.0" | "simple-a2a">;

/** Both protocols through the bridge, under the same load. */
export function measureProtocols(bus: BusName, bench: Bench): Promise<ProtocolTurn[]> {
  const order = (agents: AgentGroupName): LoadOrder => ({ agents, inFlight: 200, ms: bench.plan.windowMs });
  const orders = { "jsonrpc-2.0": order("at once"), "simple-a2a": order("at once, simple") };
  return inTurns({ peer: "bridge", bus }, { ...bench, plan: { ...bench.plan, turns: 2 * bench.plan.turns } }, orders);
}

export type FairTurn = Turn<"without" | "with">;

/** Forty-five agents that answer in time, without and with five slow ones beside them that always have a long queue. */
export function measureFairness(subject: Subject, bench: Bench): Promise<FairTurn[]> {
  const fast: LoadOrder = { agents: "fast", inFlight: 45, ms: bench.plan.fairWindowMs };
  return inTurns(subject, bench, { without: fast, with: { ...fast, beside: { agents: "slow", inFlight: 150 } } });
}
