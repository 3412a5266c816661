import { describeMachine } from "../machine.ts";
import { runBench } from "../run-bench.ts";
import { judgeWorkflows } from "./goals.ts";
import { measureWorkflows } from "./measure.ts";
import { readWorkflowOptions, usage } from "./options.ts";
import { renderWorkflowReport } from "./report.ts";

await runBench({
  name: "bench:workflow",
  page: "bench-workflow.md",
  usage,
  read: readWorkflowOptions,
  find: async (options, progress) => {
    const machine = describeMachine();
    const figures = await measureWorkflows(options, progress);
    return { machine, plan: options.plan, figures, goals: judgeWorkflows(figures) };
  },
  render: renderWorkflowReport,
});
