import { withServices } from "../agents/services.ts";
import { cpuProfiles, only, quickOr } from "../kit/arguments.ts";
import { defineBenchmark } from "../kit/benchmark.ts";
import { inRounds, measureEach, type Progress } from "../kit/rounds.ts";
import type { WorkflowFigures } from "./figures.ts";
import { judgeWorkflows } from "./goals.ts";
import { measurePeer, measureScaling, type Bench } from "./measure-peer.ts";
import { fullPlan, peerNames, peers, quickPlan, type PeerName } from "./plan.ts";
import { renderWorkflowReport } from "./report.ts";

/** Measures all peers once a round; then come one process and two. */
async function measureWorkflows(
  bench: Bench,
  names: readonly PeerName[],
  progress: Progress,
): Promise<Omit<WorkflowFigures, "skipped">> {
  const found = await inRounds({ rounds: bench.plan.rounds, of: names, progress }, async (name, round) => [
    await measurePeer(name, round, bench),
  ]);
  const scalable = names.filter((name) => peers[name].kind !== "plain");
  const scaling = await measureEach({ title: "one process and two", of: scalable, progress }, (name) =>
    measureScaling(name, bench),
  );
  return { samples: found.flatMap(({ samples }) => samples), loops: found.map(({ loop }) => loop), scaling };
}

export const workflow = defineBenchmark({
  script: "bench:workflow",
  about: "Measures runs of five steps by agents over HTTP, compared with hand-written calls and with DBOS.",
  options: {
    plan: quickOr(fullPlan, quickPlan, "about six minutes; without it about fifteen"),
    peers: only("peer", peerNames),
    cpuProf: cpuProfiles("CPU profiles of each peer's processes, in folder/<peer>"),
  },
  notes:
    "Ratios need the peer that they compare with: by hand on the same engine. Kafka needs Java 17; without it, the report says that it was left out.",
  page: "bench-workflow.md",
  measure: ({ plan, peers: selected, cpuProf }, progress) => {
    const needs = selected.map((name) => ({ name, ...peers[name] }));
    return withServices(needs, progress, async (services, names, skipped) => {
      const figures = { ...(await measureWorkflows({ plan, cpuProf, ...services }, names, progress)), skipped };
      return { plan, figures, goals: judgeWorkflows(figures) };
    });
  },
  render: renderWorkflowReport,
});
