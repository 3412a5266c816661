import { agentsAt } from "../agents/agents.ts";
import { serveCommands } from "../process/serve-commands.ts";
import type { ZonePlan } from "../zone/open-zone.ts";
import type { RunPeerKind } from "./peers.ts";
import { createByCrosszone } from "./peers/by-crosszone.ts";
import { createByDbos } from "./peers/by-dbos.ts";
import { createByHand } from "./peers/by-hand.ts";
import type { RunPeer, RunPeerDeps } from "./peers/run-peer.ts";
import type { Point } from "./plan.ts";
import { createRunLoad } from "./run-load.ts";

export interface PeerOrder extends Pick<RunPeerDeps, "origin" | "concurrency"> {
  readonly kind: RunPeerKind["kind"];
}

const makers: Readonly<Record<RunPeerKind["kind"], (deps: RunPeerDeps) => Promise<RunPeer>>> = {
  plain: createByHand,
  careful: createByHand,
  dbos: createByDbos,
  crosszone: createByCrosszone,
};

/** A process of a peer: who begins the runs is in it too. */
const load = createRunLoad();
let peer: RunPeer | undefined;
const started = (): RunPeer => {
  if (peer === undefined) throw new Error("the peer has not been started");
  return peer;
};

serveCommands({
  start: async ({ kind, origin, ...plan }: PeerOrder & ZonePlan) => {
    peer = await makers[kind]({
      ...plan,
      origin,
      agents: agentsAt(origin),
      onStep: load.onStep,
      onEnded: load.onEnded,
    });
  },
  begin: (point: Point) => load.begin(started(), point),
  look: (ms: number) => load.look(ms),
  end: () => load.end(),
  tally: () => load.tally(),
  /** Milliseconds for a run of so many items. */
  loop: async (items: number) => {
    const at = performance.now();
    const texts = Array.from({ length: items }, (_, index) => `What is the capital of country ${String(index)}?`);
    const right = await started().loop(texts);
    const ms = performance.now() - at;
    if (right !== items) throw new Error(`${String(right)} of ${String(items)} answers of the loop were right`);
    return ms;
  },
});
