import { count, cpuProfiles, only, quickOr, type Values } from "../kit/arguments.ts";
import { defineBenchmark } from "../kit/benchmark.ts";
import { startDatabases } from "../kit/databases.ts";
import { inRounds, measureEach, type Progress } from "../kit/rounds.ts";
import { spawnWorker } from "../kit/worker.ts";
import { judgeDurable, lostOf, summarizeDurable, type DurableFigures } from "./figures.ts";
import { measurePeer, soak, type Bench } from "./measure-peer.ts";
import { fullPlan, modes, peerNames, peers, quickPlan, type Subject } from "./plan.ts";
import { renderDurableReport } from "./report.ts";
import { countFlushes, surviveKill } from "./survive-kill.ts";

const commandLine = {
  plan: quickOr(fullPlan, quickPlan, "about a minute; without it under five"),
  peers: only("name", peerNames),
  soak: count("seconds", "keeps a server under load for so long afterwards, and reads its memory", 0),
  cpuProf: cpuProfiles("one CPU profile of each server process, in folder/<name>"),
};

/** Measures everything once a round; then come the flushes, the kills and the soak. */
async function measureDurable(
  { plan, peers: names, soak: seconds, cpuProf }: Values<typeof commandLine>,
  progress: Progress,
): Promise<DurableFigures> {
  const databases = await startDatabases(new Set(names.map((name) => peers[name].engine)));
  const load = spawnWorker("requests/load-worker.ts", { side: "load" });
  const bench: Bench = { plan, load, databases, cpuProf };
  const subjects: Subject[] = modes.flatMap((mode) => names.map((peer) => ({ peer, mode })));
  const durable = subjects.filter(({ peer }) => peers[peer].engine !== "memory");
  const grouped = durable.filter(({ peer }) => peers[peer].grouped);
  const killed = Array.from({ length: plan.kills }, () => grouped).flat();
  const soaked = grouped.filter(({ mode }) => seconds > 0 && mode === "answered");
  try {
    return {
      samples: await inRounds({ rounds: plan.rounds, of: subjects, progress }, (one, round) =>
        measurePeer(one, round, bench),
      ),
      flushes: await measureEach({ title: "flushes", of: durable, progress }, async (one) => [
        await countFlushes(one, bench),
      ]),
      kills: await measureEach({ title: "kills", of: killed, progress }, async (one) => [
        await surviveKill(one, bench),
      ]),
      soak: await measureEach({ title: "soak", of: soaked, progress }, (one) => soak(one, seconds, bench)),
    };
  } finally {
    await load.stop();
    await databases.stop();
  }
}

export const durable = defineBenchmark({
  script: "bench:durable",
  about:
    "Measures the cost of storing a task on disk before its request is answered, compared with servers that store it otherwise or not at all.",
  options: commandLine,
  notes: "Ends with 1 when a task that was acknowledged is missing after a crash.",
  page: "bench-durable.md",
  measure: async (options, progress) => {
    const figures = await measureDurable(options, progress);
    const tables = summarizeDurable(figures.samples);
    return { plan: options.plan, tables, figures, goals: judgeDurable(figures) };
  },
  render: renderDurableReport,
  isBroken: ({ figures }) => lostOf(figures.kills) > 0,
});
