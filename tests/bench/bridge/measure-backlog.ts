import { setTimeout as delay } from "node:timers/promises";
import { runLoad, withPeer, type Bench } from "./measure-peer.ts";
import type { BusName } from "./peers.ts";
import type { LoadResult } from "./task-load.ts";

/** What a process is while many tasks wait in it for agents that do not answer. */
export interface Backlog {
  readonly bus: BusName;
  readonly tasks: number;
  /** Bytes, before and with the tasks. */
  readonly rssBefore: number;
  readonly rssWith: number;
  /** Another agent's tasks, one at a time. */
  readonly before: LoadResult;
  readonly meanwhile: LoadResult;
  /** How many of them were done in a second, when the agents answered at last. */
  readonly drainedPerSecond: number;
}

const drainMs = 3_000;

/** Has the bridge take tasks that agents keep waiting, and looks at its process, at other agents, and at how it goes on. */
export function measureBacklog(bus: BusName, bench: Bench): Promise<Backlog> {
  const { warmUpMs, windowMs, backlog: tasks } = bench.plan;
  const one = { agents: "at once", inFlight: 1, ms: 2 * windowMs } as const;
  return withPeer({ peer: "bridge", bus }, bench, async (worker) => {
    await bench.agents.ask("hold");
    await runLoad(worker, { ...one, inFlight: 200, ms: warmUpMs });
    const before = await runLoad(worker, one);
    const rssBefore = await worker.ask<number>("memory");
    await worker.ask("pile", tasks, 600_000);
    await worker.ask("takenIn", undefined, 600_000);
    const rssWith = await worker.ask<number>("memory");
    const meanwhile = await runLoad(worker, one);
    const already = await worker.ask<number>("results");
    await bench.agents.ask("letGo");
    await delay(drainMs);
    const drained = (await worker.ask<number>("results")) - already;
    await worker.kill();
    return { bus, tasks, rssBefore, rssWith, before, meanwhile, drainedPerSecond: drained / (drainMs / 1_000) };
  });
}
