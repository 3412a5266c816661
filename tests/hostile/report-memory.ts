/**
 * Loaded into a zone's process before its own code (`--import`, with `--expose-gc`): at SIGUSR2 it collects garbage and writes what
 * is left as a line of JSON, like a line of the log.
 */
process.on("SIGUSR2", () => {
  for (let round = 0; round < 3; round += 1) collect();
  const { rss, heapUsed } = process.memoryUsage();
  process.stdout.write(`${JSON.stringify({ event: "memory", rss, heapUsed })}\n`);
});

/** Collects garbage, where Node was told that code may ask for it. */
export function collect(): void {
  (globalThis as { gc?: () => void }).gc?.();
}
