import { runBenchmarks } from "./kit/benchmark.ts";

/** All benchmarks. Each is loaded only when it runs. */
const benchmarks = {
  http: async () => (await import("./http/benchmark.ts")).http,
  bridge: async () => (await import("./bridge/benchmark.ts")).bridge,
  jobs: async () => (await import("./jobs/benchmark.ts")).jobs,
  workflow: async () => (await import("./workflow/benchmark.ts")).workflow,
  load: async () => (await import("./load/benchmark.ts")).load,
  mention: async () => (await import("./load/benchmark.ts")).mention,
  click: async () => (await import("./click/benchmark.ts")).click,
  console: async () => (await import("./console/benchmark.ts")).console,
  stream: async () => (await import("./stream/benchmark.ts")).stream,
};

await runBenchmarks(benchmarks, process.argv.slice(2));
