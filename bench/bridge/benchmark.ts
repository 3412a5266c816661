import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { cpuProfiles, only, quickOr } from "../kit/arguments.ts";
import { defineBenchmark } from "../kit/benchmark.ts";
import { inRounds, measureEach, type Progress } from "../kit/rounds.ts";
import { withServices, type Services } from "../agents/services.ts";
import { ownRoot } from "../zone/zone-process.ts";
import type { BridgeFigures, TranslationCost } from "./figures.ts";
import { judgeBridge } from "./goals.ts";
import { measureBacklog, measurePeer, type Bench } from "./measure-peer.ts";
import { measureFairness, measureProtocols } from "./measure-turns.ts";
import { buses, busNames, fullPlan, quickPlan, type BusName, type Plan, type Subject } from "./plan.ts";
import { renderBridgeReport } from "./report.ts";

interface BridgeOptions {
  readonly plan: Plan;
  readonly buses: readonly BusName[];
  readonly cpuProf: string | undefined;
}

/** Measures all peers once a round; then come slow agents, both protocols, the long queue and the translation. */
async function measureBridge(
  { names, skipped, ...services }: Services<BusName>,
  { plan, cpuProf }: BridgeOptions,
  progress: Progress,
): Promise<BridgeFigures> {
  const bench: Bench = { plan, cpuProf, ...services };
  const subjects = names.flatMap((bus) =>
    (["loop", "bridge", "serial"] as const).map((peer): Subject => ({ peer, bus })),
  );
  const unlike = subjects.filter(({ peer }) => peer !== "serial");
  const each = { of: names, progress };
  return {
    samples: await inRounds({ rounds: plan.rounds, of: subjects, progress }, (one, round) =>
      measurePeer(one, round, bench),
    ),
    fairness: await measureEach({ title: "slow agents", of: unlike, progress }, (one) => measureFairness(one, bench)),
    protocols: await measureEach({ title: "protocols", ...each }, (bus) => measureProtocols(bus, bench)),
    backlogs: await measureEach({ title: "long queue", ...each }, async (bus) => [await measureBacklog(bus, bench)]),
    translation: await measureEach({ title: "translation", of: ["adapters"], progress }, measureTranslation),
    skipped,
  };
}

/** By the adapters' own measurement, in a process of its own. */
async function measureTranslation(): Promise<TranslationCost[]> {
  const script = resolve(ownRoot, "packages/agent-bridge/src/testing/measure-translation.ts");
  const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=@crosszone/source", script]);
  return JSON.parse(stdout) as TranslationCost[];
}

export const bridge = defineBenchmark({
  script: "bench:bridge",
  about:
    "Measures the way of a task to an agent and back, beside a loop written by hand and beside one task at a time.",
  options: {
    plan: quickOr(fullPlan, quickPlan, "about three minutes; without it about ten"),
    buses: only("bus", busNames, "only there"),
    cpuProf: cpuProfiles("one CPU profile of each peer's process, in folder/<bus>-<peer>"),
  },
  notes: "Kafka needs Java 17; without it, the report says that it was left out.",
  page: "bench-bridge.md",
  measure: (options, progress) => {
    const needs = options.buses.map((name) => ({ name, engine: buses[name].engine, onKafka: name === "kafka" }));
    return withServices(needs, progress, async (services) => {
      const figures = await measureBridge(services, options, progress);
      return { plan: options.plan, figures, goals: judgeBridge(figures) };
    });
  },
  render: renderBridgeReport,
});
