import { serveCommands } from "../process/serve-commands.ts";
import { agentsAt } from "../agents/agents.ts";
import type { ZonePlan } from "../zone/open-zone.ts";
import type { PeerName } from "./peers.ts";
import { createTaskLoad, type LoadOrder, type TaskLoad } from "./task-load.ts";
import { openRoad, type TaskRoad } from "./task-road.ts";

export interface PeerOrder {
  readonly peer: PeerName;
  /** Where the agents are. */
  readonly origin: string;
}

/** The process of a peer, all in one as the zone is by default: who sends tasks and takes results is in it too. */
let started: { readonly load: TaskLoad; readonly road: TaskRoad } | undefined;
const peer = (): NonNullable<typeof started> => {
  if (started === undefined) throw new Error("the peer has not been started");
  return started;
};

serveCommands({
  start: async ({ peer: name, origin, ...plan }: PeerOrder & ZonePlan) => {
    const load = createTaskLoad((tasks) => peer().road.send(tasks));
    const agents = agentsAt(origin);
    started = { load, road: await openRoad({ ...plan, peer: name, origin, agents, onResult: load.onResult }) };
  },
  run: (order: LoadOrder) => peer().load.run(order),
  pile: (tasks: number) => peer().load.pile("held", tasks),
  results: () => peer().load.results(),
  /** Resolves when no task is on its way any more: all are the peer's. */
  takenIn: () => peer().road.takenIn(),
  /** Bytes of memory, after what is garbage is gone if it can be sent away. */
  memory: () => {
    globalThis.gc?.();
    return process.memoryUsage.rss();
  },
});
