import { describeMachine } from "../machine.ts";
import { runBench } from "../run-bench.ts";
import { compare } from "./measure.ts";
import { readCompareOptions, usage } from "./options.ts";
import { renderComparison } from "./report.ts";

await runBench({
  name: "bench:compare",
  page: "bench-engine.md",
  usage,
  read: readCompareOptions,
  find: async (options, progress) => ({
    machine: describeMachine(),
    rounds: options.rounds,
    ...(await compare(options, progress)),
  }),
  render: renderComparison,
});
