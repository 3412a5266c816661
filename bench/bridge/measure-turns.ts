import type { AgentGroupName } from "../agents/agents.ts";
import { inTurns } from "../kit/rounds.ts";
import { runLoad, withPeer, type Bench } from "./measure-peer.ts";
import type { BusName, Subject } from "./plan.ts";
import type { LoadOrder, LoadResult } from "./task-load.ts";

/** One window of two loads that alternate in the same process. */
export interface Turn<Which extends string> extends Subject, LoadResult {
  readonly which: Which;
  readonly round: number;
}

/** A B, B A, A B …: the rest of the machine affects both alike. */
function alternate<Which extends string>(
  subject: Subject,
  { turns, ...bench }: Bench & { readonly turns: number },
  orders: Readonly<Record<Which, LoadOrder>>,
): Promise<Turn<Which>[]> {
  const names = Object.keys(orders) as Which[];
  return withPeer(subject, bench, async (worker) => {
    for (const which of names) await runLoad(worker, { ...orders[which], ms: bench.plan.warmUpMs });
    const found: Turn<Which>[] = [];
    for (let round = 0; round < turns; round++)
      for (const which of inTurns(names, round))
        found.push({ ...subject, which, round, ...(await runLoad(worker, orders[which])) });
    return found;
  });
}

export type ProtocolTurn = Turn<"jsonrpc-2.0" | "simple-a2a">;

/** Both protocols through the bridge, under the same load. */
export function measureProtocols(bus: BusName, bench: Bench): Promise<ProtocolTurn[]> {
  const order = (agents: AgentGroupName): LoadOrder => ({ agents, inFlight: 200, ms: bench.plan.windowMs });
  const orders = { "jsonrpc-2.0": order("at once"), "simple-a2a": order("at once, simple") };
  return alternate({ peer: "bridge", bus }, { ...bench, turns: 2 * bench.plan.turns }, orders);
}

export type FairTurn = Turn<"without" | "with">;

/** Forty-five agents that answer in time, without and with five slow ones that always have a long queue. */
export function measureFairness(subject: Subject, bench: Bench): Promise<FairTurn[]> {
  const fast: LoadOrder = { agents: "fast", inFlight: 45, ms: bench.plan.fairWindowMs };
  const orders = { without: fast, with: { ...fast, background: { agents: "slow", inFlight: 150 } } } as const;
  return alternate(subject, { ...bench, turns: bench.plan.turns }, orders);
}
