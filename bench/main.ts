import { runBenchmark } from "./kit/benchmark.ts";

type Run = (args: readonly string[]) => Promise<void>;

/** All benchmarks, by the name that the scripts of `package.json` pass. Each is loaded only when it runs. */
const benchmarks: Readonly<Record<string, Run>> = {
  http: async (args) => runBenchmark((await import("./http/benchmark.ts")).http, args),
  bridge: async (args) => runBenchmark((await import("./bridge/benchmark.ts")).bridge, args),
  jobs: async (args) => runBenchmark((await import("./jobs/benchmark.ts")).jobs, args),
  load: async (args) => runBenchmark((await import("./load/benchmark.ts")).load, args),
  stream: async (args) => runBenchmark((await import("./stream/benchmark.ts")).stream, args),
  workflow: async (args) => runBenchmark((await import("./workflow/benchmark.ts")).workflow, args),
};

const [name = "", ...args] = process.argv.slice(2);
const run = benchmarks[name];
if (run === undefined) throw new TypeError(`Expected one of ${Object.keys(benchmarks).join(", ")}, got "${name}".`);
await run(args);
