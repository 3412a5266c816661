import { checkReachable } from "./check-reachable.ts";
import { skipped, type Check } from "./check.ts";
import type { Peer } from "./describe-reach.ts";
import type { Reach } from "./reach.ts";

/** Whether the collector of traces can be reached. A zone works without it: what cannot be sent is dropped. */
export function checkTraces(
  reads: readonly string[],
  { endpoint, reach }: { readonly endpoint: () => string | undefined; readonly reach: Reach },
): Check {
  const variable = "OTEL_EXPORTER_OTLP_ENDPOINT";
  const peer = (): Peer => ({ url: endpoint() ?? "", variable, whenDown: "Start the collector" });
  const { check } = checkReachable({ name: "traces reachable", reads }, { peer, reach });
  return {
    ...check,
    run: async (signal) =>
      endpoint() === undefined ? skipped(`${variable} is not set: no traces are sent`) : check.run(signal),
  };
}
