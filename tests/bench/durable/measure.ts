import { spawnWorker } from "../process/spawn-worker.ts";
import { countFlushes, type FlushCount } from "./count-flushes.ts";
import { startDatabases } from "./databases.ts";
import { measurePeer, type Bench, type DurableSample, type Subject } from "./measure-peer.ts";
import type { DurableOptions } from "./options.ts";
import { modes, peers } from "./peers.ts";
import { soak, type SoakReading } from "./soak.ts";
import { surviveKill, type KillResult } from "./survive-kill.ts";

/** All that was measured, in the order in which it was. */
export interface DurableFigures {
  readonly samples: readonly DurableSample[];
  readonly flushes: readonly FlushCount[];
  readonly kills: readonly KillResult[];
  readonly soak: readonly SoakReading[];
}

/** Goes through everything once a round, backwards every second round; then come the flushes, the kills and the soak. */
export async function measureDurable(
  { plan, peers: names, soakSeconds, cpuProf }: DurableOptions,
  progress: (text: string) => void,
): Promise<DurableFigures> {
  const databases = await startDatabases(new Set(names.map((name) => peers[name].engine)));
  const load = spawnWorker("load/load-worker.ts", [], { side: "load" });
  const bench: Bench = { plan, load, databases, cpuProf };
  const subjects: Subject[] = modes.flatMap((mode) => names.map((peer) => ({ peer, mode })));
  const durable = subjects.filter(({ peer }) => peers[peer].engine !== "memory");
  const forEach = async <T>(title: string, of: readonly Subject[], run: (subject: Subject) => Promise<T>) => {
    const found: T[] = [];
    progress(`${title}:`);
    for (const subject of of) {
      progress(` ${subject.peer}/${subject.mode}`);
      found.push(await run(subject));
    }
    progress("\n");
    return found;
  };
  try {
    const samples: DurableSample[] = [];
    for (let round = 0; round < plan.rounds; round++) {
      const inOrder = round % 2 === 0 ? subjects : subjects.toReversed();
      const title = `round ${round + 1} of ${plan.rounds}`;
      samples.push(...(await forEach(title, inOrder, (subject) => measurePeer(subject, round, bench))).flat());
    }
    const flushes = await forEach("flushes", durable, (subject) => countFlushes(subject, bench));
    const grouped = durable.filter(({ peer }) => peers[peer].grouped);
    const killed = Array.from({ length: plan.kills }, () => grouped).flat();
    const kills = await forEach("kills", killed, (subject) => surviveKill(subject, bench));
    const soaked = grouped.filter(({ mode }) => soakSeconds > 0 && mode === "answered");
    const readings = await forEach("soak", soaked, (subject) => soak(subject, { seconds: soakSeconds, bench }));
    return { samples, flushes, kills, soak: readings.flat() };
  } finally {
    await load.stop();
    await databases.stop();
  }
}
