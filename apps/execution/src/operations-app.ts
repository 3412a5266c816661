import { observeRetention, type Purge, startRetention } from "@crosszone/service-kit";
import type { ExecutionApp, ExecutionDeps } from "./deps.ts";
import { createHttpApp } from "./http/create-http-app.ts";
import { createBadRequest } from "./http/serve-route.ts";

/** Deletes old data from `start` to `stop`: every ten minutes on average by default. */
export function createRetention({
  logger,
  metrics: { registry },
  purges,
  everyMs = 600_000,
}: Pick<ExecutionDeps, "logger" | "metrics"> & {
  readonly purges: readonly Purge[];
  readonly everyMs?: number;
}): { readonly start: () => void; readonly stop: () => Promise<void> } {
  const observer = observeRetention({ logger, registry }, purges);
  let running: ReturnType<typeof startRetention> | undefined;
  return {
    start: () => {
      running = startRetention({ purges, everyMs, ...observer });
    },
    stop: async () => running?.stop(),
  };
}

/** Creates the app of a process without JSON-RPC. It serves health, metrics and the admin API, and purges old data. */
export function createOperationsApp({
  logger,
  metrics,
  health,
  emit,
  api,
  purges = [],
}: Pick<ExecutionDeps, "logger" | "metrics" | "health" | "emit" | "api" | "purges">): Omit<ExecutionApp, "dispatch"> {
  const retention = createRetention({ logger, metrics, purges });
  return {
    listener: createHttpApp({ health, metrics, api, emit }),
    badRequest: createBadRequest(emit),
    start: retention.start,
    stop: retention.stop,
  };
}
