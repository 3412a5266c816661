import { withProcesses, type Services, type Times } from "../agents/services.ts";
import { inTurns } from "../kit/rounds.ts";
import type { Worker } from "../kit/worker.ts";
import type { PeerOrder } from "./peer-worker.ts";
import { buses, type BusName, type PeerName } from "./peers.ts";
import type { LoadOrder, LoadResult, Point } from "./task-load.ts";

/** One peer on one bus. */
export interface Subject {
  readonly peer: PeerName;
  readonly bus: BusName;
}

interface Bench extends Services, Times {}

/** One peer under one load in one round. */
export interface Sample extends Subject, LoadResult {
  readonly load: LoadName;
  readonly round: number;
}

const fast: Point = { agents: "fast", inFlight: 45 };

/** The loads, which alternate in the process of a peer. */
const loads = {
  "at once": { agents: "at once", inFlight: 200 },
  "in 20 ms": { agents: "in 20 ms", inFlight: 200 },
  simple: { agents: "at once, simple", inFlight: 200 },
  fast,
  "fast and slow": { ...fast, background: { agents: "slow", inFlight: 150 } },
} as const satisfies Record<string, Omit<LoadOrder, "ms">>;
export type LoadName = keyof typeof loads;

const loadsOf: Readonly<Record<PeerName, readonly LoadName[]>> = {
  loop: ["at once", "in 20 ms", "fast", "fast and slow"],
  bridge: ["at once", "simple", "in 20 ms", "fast", "fast and slow"],
};

/** Measures a peer in its own process on an empty database. Throws when one result of all was wrong. */
export function measurePeer({ peer, bus }: Subject, round: number, bench: Bench): Promise<Sample[]> {
  const { databases, origin, brokers, warmUpMs, windows, windowMs } = bench;
  const plan = {
    module: "bridge/peer-worker.ts",
    side: "server",
    databases,
    engine: buses[bus].engine,
    brokers: bus === "kafka" ? brokers : undefined,
    order: { peer, origin } satisfies PeerOrder,
  } as const;
  return withProcesses(plan, async ([process]) => {
    const run = (load: LoadName, ms: number): Promise<LoadResult> =>
      (process as Worker).call<LoadResult>("run", { ...loads[load], ms } satisfies LoadOrder, ms + 120_000);
    for (const load of loadsOf[peer].slice(0, 2)) await run(load, warmUpMs);
    const best = new Map<LoadName, LoadResult>();
    for (let window = 0; window < windows; window++)
      for (const load of inTurns(loadsOf[peer], round + window)) {
        // A task of the fast agents takes 100 ms.
        const result = await run(load, loads[load].agents === "fast" ? 4 * windowMs : windowMs);
        if (result.tasksPerSecond > (best.get(load)?.tasksPerSecond ?? -1)) best.set(load, result);
      }
    return [...best].map(([load, result]) => ({ peer, bus, load, round, ...result }));
  });
}
