import { withServices, type Services } from "../agents/services.ts";
import { cpuProfiles, only, quickOr } from "../kit/arguments.ts";
import { defineBenchmark } from "../kit/benchmark.ts";
import { inRounds, measureEach, type Progress } from "../kit/rounds.ts";
import type { WorkflowFigures } from "./figures.ts";
import { judgeWorkflows } from "./goals.ts";
import { measurePeer, measureScaling, type Bench } from "./measure-peer.ts";
import { fullPlan, type PeerName, peerNames, peers, type Plan, quickPlan } from "./plan.ts";
import { renderWorkflowReport } from "./report.ts";

interface WorkflowOptions {
  readonly plan: Plan;
  readonly peers: readonly PeerName[];
  readonly cpuProf: string | undefined;
}

/** Measures all peers once a round; then come one process and two. */
async function measureWorkflows(
  { names, skipped, databases, origin, brokers }: Services<PeerName>,
  { plan, cpuProf }: WorkflowOptions,
  progress: Progress,
): Promise<WorkflowFigures> {
  const bench: Bench = { plan, cpuProf, databases, origin, brokers };
  const found = await inRounds({ rounds: plan.rounds, of: names, progress }, async (name, round) => [
    await measurePeer(name, round, bench),
  ]);
  const scalable = names.filter((name) => peers[name].kind !== "plain");
  const scaling = await measureEach({ title: "one process and two", of: scalable, progress }, (name) =>
    measureScaling(name, bench),
  );
  return { samples: found.flatMap(({ samples }) => samples), loops: found.map(({ loop }) => loop), scaling, skipped };
}

export const workflow = defineBenchmark({
  script: "bench:workflow",
  about: "Measures runs of five steps by agents over HTTP, beside the same calls written by hand and beside DBOS.",
  options: {
    plan: quickOr(fullPlan, quickPlan, "about four minutes; without it about fifteen"),
    peers: only("peer", peerNames),
    cpuProf: cpuProfiles("CPU profiles of each peer's processes, in folder/<peer>"),
  },
  notes:
    "Ratios need the peer that they compare with: by hand on the same engine. Kafka needs Java 17; without it, the report says that it was left out.",
  page: "bench-workflow.md",
  measure: (options, progress) => {
    const needs = options.peers.map((name) => ({ name, ...peers[name] }));
    return withServices(needs, progress, async (services) => {
      const figures = await measureWorkflows(services, options, progress);
      return { plan: options.plan, figures, goals: judgeWorkflows(figures) };
    });
  },
  render: renderWorkflowReport,
});
