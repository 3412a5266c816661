import { agentsAt } from "../agents/agents.ts";
import { serveCommands } from "../kit/commands.ts";
import type { PeerStorage } from "../agents/services.ts";
import { createByCrosszone } from "./by-crosszone.ts";
import { createByDbos } from "./by-dbos.ts";
import { createByHand } from "./by-hand.ts";
import type { Peer, RunPeer, RunPeerDeps } from "./peers.ts";
import { createRunLoad, type Point } from "./run-load.ts";

export interface PeerOrder extends Pick<RunPeerDeps, "origin" | "concurrency">, Pick<Peer, "kind"> {}

const creators: Readonly<Record<Peer["kind"], (deps: RunPeerDeps) => Promise<RunPeer>>> = {
  plain: createByHand,
  careful: createByHand,
  dbos: createByDbos,
  crosszone: createByCrosszone,
};

/** A process of a peer, which also starts the runs. */
const { onStep, onEnded, ...load } = createRunLoad();
let peer: RunPeer | undefined;
const started = (): RunPeer => {
  if (peer === undefined) throw new Error("the peer has not been started");
  return peer;
};

serveCommands({
  start: async ({ kind, ...plan }: PeerOrder & PeerStorage) => {
    peer = await creators[kind]({ ...plan, agents: agentsAt(plan.origin), onStep, onEnded });
  },
  begin: (point: Point) => load.begin(started(), point),
  measure: load.measure,
  end: load.end,
  tally: load.tally,
});
