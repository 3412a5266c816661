import { agentsAt } from "../agents/agents.ts";
import { serveCommands } from "../kit/commands.ts";
import type { PeerStorage } from "../kit/peer-processes.ts";
import type { PeerName } from "./plan.ts";
import { createTaskLoad, type LoadOrder } from "./task-load.ts";
import { openTransport, type TaskTransport } from "./task-transport.ts";

export interface PeerOrder {
  readonly peer: PeerName;
  /** The origin of the agents. */
  readonly origin: string;
}

/** The process of a peer, all in one as the zone is by default: it also sends tasks and receives results. */
let transport: TaskTransport | undefined;
const started = (): TaskTransport => {
  if (transport === undefined) throw new Error("the peer has not been started");
  return transport;
};
const load = createTaskLoad((tasks) => started().send(tasks));

serveCommands({
  start: async (order: PeerOrder & PeerStorage) => {
    transport = await openTransport({ ...order, agents: agentsAt(order.origin), onResult: load.onResult });
  },
  run: (order: LoadOrder) => load.run(order),
  pile: (tasks: number) => load.pile("held", tasks),
  results: () => load.results(),
  /** Resolves when the peer has received all tasks. */
  received: () => started().received(),
  /** Bytes of memory, after garbage was collected where Node allows it. */
  memory: () => {
    globalThis.gc?.();
    return process.memoryUsage.rss();
  },
});
