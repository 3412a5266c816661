import { kafkaIsHere, startKafka } from "@crosszone/testkit/kafka";
import { startDatabases } from "../durable/databases.ts";
import { spawnWorker } from "../process/spawn-worker.ts";
import { measureBacklog, type Backlog } from "./measure-backlog.ts";
import { measurePeer, type Bench, type PeerSample } from "./measure-peer.ts";
import { measureFairness, measureProtocols, type FairTurn, type ProtocolTurn } from "./measure-turns.ts";
import type { BridgeOptions } from "./options.ts";
import { buses, type BusName, type Subject } from "./peers.ts";
import { measureTranslation, type TranslationCost } from "./translation.ts";

/** All that was measured, in the order in which it was. */
export interface BridgeFigures {
  readonly samples: readonly PeerSample[];
  readonly fairness: readonly FairTurn[];
  readonly protocols: readonly ProtocolTurn[];
  readonly backlogs: readonly Backlog[];
  readonly translation: readonly TranslationCost[];
  /** Buses that could not be had on this machine. */
  readonly skipped: readonly BusName[];
}

/** Goes through all peers once a round, backwards every second round; then come slow agents, both protocols, the long queue. */
export async function measureBridge(
  { plan, buses: asked, cpuProf }: BridgeOptions,
  progress: (text: string) => void,
): Promise<BridgeFigures> {
  const hasKafka = asked.includes("kafka") && (await kafkaIsHere());
  const [names, skipped] = [asked.filter((bus) => bus !== "kafka" || hasKafka), hasKafka ? [] : asked.filter(isKafka)];
  const databases = await startDatabases(new Set(names.map((bus) => buses[bus].engine)));
  const kafka = hasKafka ? await startKafka() : undefined;
  const agents = spawnWorker("agents/agents-worker.ts", [], { side: "load" });
  try {
    const origin = await agents.ask<string>("listen");
    const bench: Bench = { plan, databases, agents, origin, brokers: kafka?.brokers, cpuProf };
    const forEach = async <Of, T>(title: string, of: readonly Of[], run: (one: Of) => Promise<readonly T[]>) => {
      const found: T[] = [];
      progress(`${title}:`);
      for (const one of of) {
        progress(` ${typeof one === "object" ? Object.values(one as object).join("/") : String(one)}`);
        found.push(...(await run(one)));
      }
      progress("\n");
      return found;
    };
    const subjects = names.flatMap((bus): Subject[] => [
      { peer: "loop", bus },
      { peer: "bridge", bus },
      { peer: "serial", bus },
    ]);
    const samples: PeerSample[] = [];
    for (let round = 0; round < plan.rounds; round++) {
      const inOrder = round % 2 === 0 ? subjects : subjects.toReversed();
      const title = `round ${round + 1} of ${plan.rounds}`;
      samples.push(...(await forEach(title, inOrder, (subject) => measurePeer(subject, round, bench))));
    }
    const unlike = subjects.filter(({ peer }) => peer !== "serial");
    const fairness = await forEach("slow agents", unlike, (subject) => measureFairness(subject, bench));
    const protocols = await forEach("protocols", names, (bus) => measureProtocols(bus, bench));
    const backlogs = await forEach("long queue", names, async (bus) => [await measureBacklog(bus, bench)]);
    progress("translation\n");
    return { samples, fairness, protocols, backlogs, translation: await measureTranslation(), skipped };
  } finally {
    await agents.stop();
    await kafka?.stop();
    await databases.stop();
  }
}

const isKafka = (bus: BusName): boolean => bus === "kafka";
