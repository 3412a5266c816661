import { describeMachine } from "../machine.ts";
import { runBench } from "../run-bench.ts";
import { judgeJobs } from "./goals.ts";
import { images } from "./images.ts";
import { measureJobs } from "./measure.ts";
import { readJobsOptions, usage } from "./options.ts";
import { renderJobsReport } from "./report.ts";

await runBench({
  name: "bench:jobs",
  page: "bench-jobs.md",
  usage,
  read: readJobsOptions,
  find: async (options, progress) => {
    const machine = describeMachine();
    const figures = await measureJobs(options, progress);
    return { machine, plan: options.plan, figures, goals: judgeJobs(figures) };
  },
  render: renderJobsReport,
  draw: ({ figures }) => images(figures),
});
