import { resolve } from "node:path";
import { count, only, type Option } from "../kit/arguments.ts";
import { defineBenchmark } from "../kit/benchmark.ts";
import { compare } from "./measure.ts";
import { renderComparison } from "./report.ts";
import { hasBenchmarks, sourceNames } from "./sources.ts";

const beforeOption: Option<string> = {
  value: "folder",
  isRequired: true,
  hint: "a clone of this repository at the version before, with its dependencies installed",
  read: (given) => {
    const before = given.at(-1);
    if (before === undefined) throw new TypeError("Expected --before with the folder of the version before.");
    if (!hasBenchmarks(before))
      throw new TypeError(
        `Expected a clone of this repository for --before, got "${before}" without bench or tests/bench.`,
      );
    return resolve(before);
  },
};

export const comparison = defineBenchmark({
  script: "bench:compare",
  about: "Runs the same benchmarks of two versions in alternation, and prints their figures side by side.",
  options: {
    before: beforeOption,
    rounds: count(
      "n",
      "rounds, 3 by default: in each, every benchmark runs once of both versions. A round takes about 18 minutes; what is\nrun once adds 8",
      3,
    ),
    sources: only("benchmark", sourceNames),
  },
  notes: `  path      the way of one question, by \`pnpm measure:path\`, once
  zone      the execution zone compared with bare node:http, by \`pnpm bench --quick\`
  durable   the execution zone with its tasks in SQLite, by \`pnpm bench:durable --quick\`; "zone" has what it is compared with
  load      100 mentions a second through both zones, by \`pnpm bench:load --quick\`
  bridge    \`pnpm bench:bridge --quick\`
  workflow  \`pnpm bench:workflow --quick\`
  jobs      the job engine alone, by \`pnpm bench:jobs\`, once; the version before has none`,
  page: "bench-engine.md",
  measure: async (options, progress) => ({ rounds: options.rounds, ...(await compare(options, progress)) }),
  render: renderComparison,
});
