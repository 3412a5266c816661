import { describeMachine } from "../machine.ts";
import { runBench } from "../run-bench.ts";
import { judgeStreams } from "./goals.ts";
import { measureStreams } from "./measure.ts";
import { readStreamOptions, usage } from "./options.ts";
import { renderStreamReport } from "./report.ts";

await runBench({
  name: "bench:stream",
  page: "bench-stream.md",
  usage,
  read: readStreamOptions,
  find: async (options, progress) => {
    const machine = describeMachine();
    const figures = await measureStreams(options, progress);
    return { machine, plan: options.plan, figures, goals: judgeStreams(options.plan, figures) };
  },
  render: renderStreamReport,
});
