import { defineBenchmark } from "../kit/benchmark.ts";
import { commandLine, loadOptions } from "./options.ts";
import { isFlawless, renderLoadReport } from "./report.ts";
import { runLoad } from "./run-load.ts";

export const load = defineBenchmark({
  script: "bench:load",
  about:
    "Runs both zones and a local Slack as processes of their own under a constant load of right and wrong requests, and judges every answer.",
  options: commandLine,
  notes: "Ends with 1 when one answer of all was not the one that its request deserved.",
  page: "load.md",
  measure: async (values, progress) => {
    const options = loadOptions(values);
    return { options, figures: await runLoad(options, progress) };
  },
  render: renderLoadReport,
  isBroken: ({ figures }) => !isFlawless(figures),
});

export { isFlawless, loadOptions, runLoad };
export type { LoadOptions } from "./options.ts";
