import { observeRetention, startRetention, type Purge } from "@crosszone/service-kit";
import type { ExecutionDeps } from "./deps.ts";

/** Deletes old data from `start` to `stop`: every ten minutes on average by default. */
export function createRetention({
  logger,
  metrics: { registry },
  purges,
  everyMs = 600_000,
}: Pick<ExecutionDeps, "logger" | "metrics"> & {
  readonly purges: readonly Purge[];
  readonly everyMs?: number | undefined;
}): { readonly start: () => void; readonly stop: () => Promise<void> } {
  const seen = observeRetention({ logger, registry }, purges);
  let running: ReturnType<typeof startRetention> | undefined;
  return {
    start: () => {
      running = startRetention({ purges, everyMs, ...seen });
    },
    stop: async () => running?.stop(),
  };
}
