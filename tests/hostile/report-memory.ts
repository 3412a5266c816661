/** Loaded into a zone's process with `--import` and `--expose-gc`. On SIGUSR2, it collects garbage and writes the memory use as a log line. */
process.on("SIGUSR2", () => {
  for (let round = 0; round < 3; round += 1) collect();
  const { rss, heapUsed } = process.memoryUsage();
  process.stdout.write(`${JSON.stringify({ event: "memory", rss, heapUsed })}\n`);
});

/** Collects garbage, if Node runs with `--expose-gc`. */
export function collect(): void {
  (globalThis as { gc?: () => void }).gc?.();
}
