import { agentsAt } from "../agents/agents.ts";
import { serveCommands } from "../kit/commands.ts";
import type { PeerStorage } from "../agents/services.ts";
import type { PeerName } from "./peers.ts";
import { createTaskLoad, type LoadOrder } from "./task-load.ts";
import { openTransport, type SendTask } from "./task-transport.ts";

export interface PeerOrder {
  readonly peer: PeerName;
  /** The origin of the agents. */
  readonly origin: string;
}

/** The process of a peer, all in one as the zone is by default: it also sends tasks and receives results. */
let send: SendTask = () => Promise.reject(new Error("the peer has not been started"));
const load = createTaskLoad((task) => send(task));

serveCommands({
  start: async (order: PeerOrder & PeerStorage) => {
    send = await openTransport({ ...order, agents: agentsAt(order.origin), onResult: load.onResult });
  },
  run: (order: LoadOrder) => load.run(order),
});
