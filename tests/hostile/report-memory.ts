/**
 * Loaded into a zone's process before its own code (`--import`, with `--expose-gc`): at SIGUSR2 it collects garbage and writes what
 * is left as a line of JSON, like a line of the log.
 */
const collect = (globalThis as { gc?: () => void }).gc;

process.on("SIGUSR2", () => {
  for (let round = 0; round < 3; round += 1) collect?.();
  const { rss, heapUsed } = process.memoryUsage();
  process.stdout.write(`${JSON.stringify({ event: "memory", rss, heapUsed })}\n`);
});

export {};
