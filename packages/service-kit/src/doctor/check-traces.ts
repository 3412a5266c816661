import { tracesEndpoint, tracesVariable, type TracingConfig } from "../tracing/tracing-variables.ts";
import { checkReachable } from "./check-reachable.ts";
import { skipped, type Check } from "./check.ts";
import type { Reach } from "./reach.ts";

/** Checks that the trace collector can be reached. A zone works without it and drops its traces. */
export function checkTraces(
  reads: readonly string[],
  { config, reach }: { readonly config: Partial<TracingConfig>; readonly reach: Reach },
): Check {
  const variable = tracesVariable(config);
  const url = tracesEndpoint(config);
  const check = { name: "traces reachable", reads };
  if (url === undefined) return { ...check, run: () => skipped(`${variable} is not set: no traces are sent`) };
  return checkReachable(check, { peer: () => ({ url, variable, whenDown: "Start the collector" }), reach }).check;
}
