import { describeMachine } from "../machine.ts";
import { runBench } from "../run-bench.ts";
import { judgeBridge } from "./goals.ts";
import { measureBridge } from "./measure.ts";
import { readBridgeOptions, usage } from "./options.ts";
import { renderBridgeReport } from "./report.ts";

await runBench({
  name: "bench:bridge",
  page: "bench-bridge.md",
  usage,
  read: readBridgeOptions,
  find: async (options, progress) => {
    const machine = describeMachine();
    const figures = await measureBridge(options, progress);
    return { machine, plan: options.plan, figures, goals: judgeBridge(figures) };
  },
  render: renderBridgeReport,
});
