import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { cpuProfiles, only, quickOr } from "../kit/arguments.ts";
import { defineBenchmark } from "../kit/benchmark.ts";
import { inRounds, measureEach, type Progress } from "../kit/rounds.ts";
import { withServices } from "../agents/services.ts";
import { ownRoot } from "../zone/zone-process.ts";
import type { BridgeFigures, TranslationCost } from "./figures.ts";
import { judgeBridge } from "./goals.ts";
import { measureBacklog, measurePeer, type Bench } from "./measure-peer.ts";
import { measureFairness, measureProtocols } from "./measure-turns.ts";
import { buses, busNames, fullPlan, quickPlan, type BusName, type Subject } from "./plan.ts";
import { renderBridgeReport } from "./report.ts";

/** Measures all peers once a round; then come slow agents, both protocols, the long queue and the translation. */
async function measureBridge(
  bench: Bench,
  names: readonly BusName[],
  progress: Progress,
): Promise<Omit<BridgeFigures, "skipped">> {
  const subjects = names.flatMap((bus) =>
    (["loop", "bridge", "serial"] as const).map((peer): Subject => ({ peer, bus })),
  );
  const unlike = subjects.filter(({ peer }) => peer !== "serial");
  const each = { of: names, progress };
  return {
    samples: await inRounds({ rounds: bench.plan.rounds, of: subjects, progress }, (one, round) =>
      measurePeer(one, round, bench),
    ),
    fairness: await measureEach({ title: "slow agents", of: unlike, progress }, (one) => measureFairness(one, bench)),
    protocols: await measureEach({ title: "protocols", ...each }, (bus) => measureProtocols(bus, bench)),
    backlogs: await measureEach({ title: "long queue", ...each }, async (bus) => [await measureBacklog(bus, bench)]),
    translation: await measureEach({ title: "translation", of: ["adapters"], progress }, measureTranslation),
  };
}

/** The adapters' own measurement, in a separate process. */
async function measureTranslation(): Promise<TranslationCost[]> {
  const script = resolve(ownRoot, "packages/agent-bridge/src/testing/measure-translation.ts");
  const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=@crosszone/source", script]);
  return JSON.parse(stdout) as TranslationCost[];
}

export const bridge = defineBenchmark({
  script: "bench:bridge",
  about: "Measures a task's way to an agent and back, compared with a hand-written loop and with one task at a time.",
  options: {
    plan: quickOr(fullPlan, quickPlan, "about three minutes; without it about ten"),
    buses: only("bus", busNames, "only there"),
    cpuProf: cpuProfiles("one CPU profile of each peer's process, in folder/<bus>-<peer>"),
  },
  notes: "Kafka needs Java 17; without it, the report says that it was left out.",
  page: "bench-bridge.md",
  measure: ({ plan, buses: selected, cpuProf }, progress) => {
    const needs = selected.map((name) => ({ name, engine: buses[name].engine, onKafka: name === "kafka" }));
    return withServices(needs, progress, async (services, names, skipped) => {
      const figures = { ...(await measureBridge({ plan, cpuProf, ...services }, names, progress)), skipped };
      return { plan, figures, goals: judgeBridge(figures) };
    });
  },
  render: renderBridgeReport,
});
