import { setTimeout as delay } from "node:timers/promises";
import type { MessageBus } from "@crosszone/bus";
import { serveCommands } from "../process/serve-commands.ts";
import { agentsAt } from "../agents/agents.ts";
import { openBus, type BusPlan } from "../zone/open-bus.ts";
import type { PeerName } from "./peers.ts";
import { startPeer } from "./start-peer.ts";
import { createTaskLoad, type LoadOrder, type TaskLoad } from "./task-load.ts";

export interface PeerOrder {
  readonly peer: PeerName;
  /** Where the agents are. */
  readonly origin: string;
}

/** The process of a peer, all in one as the zone is by default: who publishes tasks and takes results is in it too. */
let peer: { readonly load: TaskLoad; readonly bus: MessageBus } | undefined;
const started = (): NonNullable<typeof peer> => {
  if (peer === undefined) throw new Error("the peer has not been started");
  return peer;
};

serveCommands({
  start: async ({ peer: name, origin, ...plan }: PeerOrder & BusPlan) => {
    const opened = await openBus(plan, "execution");
    peer = { load: await createTaskLoad(opened.bus), bus: opened.bus };
    await startPeer(name, { ...opened, origin, agents: agentsAt(origin) });
  },
  run: (order: LoadOrder) => started().load.run(order),
  pile: (tasks: number) => started().load.pile("held", tasks),
  results: () => started().load.results(),
  /** Resolves when no task is on the bus any more: all are the peer's. */
  takenIn: async () => {
    const waiting = async (): Promise<number> => {
      const queues = await started().bus.readQueues();
      return queues.find(({ channel }) => channel === "agent_tasks")?.waiting ?? 0;
    };
    while ((await waiting()) > 0) await delay(100);
  },
  /** Bytes of memory, after what is garbage is gone if it can be sent away. */
  memory: () => {
    globalThis.gc?.();
    return process.memoryUsage.rss();
  },
});
