import type { Logger, MetricsRegistry } from "@crosszone/service-kit";
import type { Tracer } from "@crosszone/service-kit/tracing";
import type { VerificationEvent } from "@crosszone/telemetry";

/** Where observers log, count and trace. */
export interface ObserverDeps {
  readonly logger: Logger<VerificationEvent>;
  readonly registry: MetricsRegistry;
  readonly tracer: Tracer;
}
