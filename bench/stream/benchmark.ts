import { cpuProfiles, quickOr } from "../kit/arguments.ts";
import { defineBenchmark } from "../kit/benchmark.ts";
import { judgeStreams } from "./goals.ts";
import { measureStreams } from "./measure.ts";
import { fullPlan, quickPlan } from "./streams.ts";
import { renderStreamReport } from "./report.ts";

export const stream = defineBenchmark({
  script: "bench:stream",
  about: "Streams answers token by token through both zones to a local Slack, compared with a bare relay of two hops.",
  options: {
    plan: quickOr(
      fullPlan,
      quickPlan,
      `${quickPlan.streams} streams of ${quickPlan.seconds} s, about a minute; without it ${fullPlan.streams} of ${fullPlan.seconds} s, about three minutes`,
    ),
    cpuProf: cpuProfiles("CPU profiles of both zones"),
  },
  page: "bench-stream.md",
  measure: async (options, progress) => {
    const figures = await measureStreams(options, progress);
    return { plan: options.plan, figures, goals: judgeStreams(options.plan, figures) };
  },
  render: renderStreamReport,
});
