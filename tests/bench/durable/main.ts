import { describeMachine } from "../machine.ts";
import { runBench } from "../run-bench.ts";
import { judgeDurable, lostOf } from "./goals.ts";
import { measureDurable } from "./measure.ts";
import { readDurableOptions, usage } from "./options.ts";
import { renderDurableReport } from "./report.ts";
import { summariseDurable } from "./summary.ts";

await runBench({
  name: "bench:durable",
  page: "bench-durable.md",
  usage,
  read: readDurableOptions,
  find: async (options, progress) => {
    const machine = describeMachine();
    const figures = await measureDurable(options, progress);
    const tables = summariseDurable(figures.samples);
    return { machine, plan: options.plan, tables, figures, goals: judgeDurable(figures) };
  },
  render: renderDurableReport,
  isBroken: ({ figures }) => lostOf(figures.kills) > 0,
});
