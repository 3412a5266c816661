import { kafkaIsHere, startKafka } from "@crosszone/testkit/kafka";
import { startDatabases } from "../durable/databases.ts";
import { spawnWorker } from "../process/spawn-worker.ts";
import { measurePeer, type Bench, type LoopSample, type PeerSample } from "./measure-peer.ts";
import { measureScaling, type ScaleSample } from "./measure-scaling.ts";
import type { WorkflowOptions } from "./options.ts";
import { peers, type PeerName } from "./peers.ts";

/** All that was measured, in the order in which it was. */
export interface WorkflowFigures {
  readonly samples: readonly PeerSample[];
  readonly loops: readonly LoopSample[];
  readonly scaling: readonly ScaleSample[];
  /** Peers that could not be had on this machine. */
  readonly skipped: readonly PeerName[];
}

/** Goes through all peers once a round, backwards every second round; then come one process and two. */
export async function measureWorkflows(
  { plan, peers: asked, cpuProf }: WorkflowOptions,
  progress: (text: string) => void,
): Promise<WorkflowFigures> {
  const wantsKafka = asked.some((name) => peers[name].onKafka);
  const hasKafka = wantsKafka && (await kafkaIsHere());
  const names = asked.filter((name) => hasKafka || !peers[name].onKafka);
  const skipped = asked.filter((name) => !names.includes(name));
  if (skipped.length > 0) progress("no Java 17 on this machine: Kafka is left out\n");
  const databases = await startDatabases(new Set(names.map((name) => peers[name].engine)));
  const kafka = hasKafka ? await startKafka() : undefined;
  const agents = spawnWorker("agents/agents-worker.ts", [], { side: "load" });
  try {
    const origin = await agents.ask<string>("listen");
    const bench: Bench = { plan, databases, origin, brokers: kafka?.brokers, cpuProf };
    const samples: PeerSample[] = [];
    const loops: LoopSample[] = [];
    for (let round = 0; round < plan.rounds; round++) {
      progress(`round ${String(round + 1)} of ${String(plan.rounds)}:`);
      for (const name of round % 2 === 0 ? names : names.toReversed()) {
        progress(` ${name}`);
        const found = await measurePeer(name, round, bench);
        samples.push(...found.samples);
        loops.push(...found.loops);
      }
      progress("\n");
    }
    progress("one process and two:");
    const scaling: ScaleSample[] = [];
    for (const name of names.filter((one) => peers[one].kind !== "plain")) {
      progress(` ${name}`);
      scaling.push(...(await measureScaling(name, bench)));
    }
    progress("\n");
    return { samples, loops, scaling, skipped };
  } finally {
    await agents.stop();
    await kafka?.stop();
    await databases.stop();
  }
}
