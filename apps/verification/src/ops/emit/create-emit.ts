import { createEmit, type Emit, type Logger, type MetricsRegistry } from "@crosszone/service-kit";
import type { Tracer } from "@crosszone/service-kit/tracing";
import { verificationEvents, type VerificationEvent } from "@crosszone/telemetry";
import { loggedFields } from "../../tracing/error-fields.ts";
import { measureAnswers, measureCalls, measureEdge, measurePolicy } from "./measure-events.ts";

export interface AppEmitDeps {
  readonly logger: Logger<VerificationEvent>;
  readonly registry: MetricsRegistry;
  readonly tracer: Tracer;
}

/** Makes the function that logs and measures the zone's events. Its metrics can be registered once in a registry. */
export function createAppEmit({ logger, registry, tracer }: AppEmitDeps): Emit<VerificationEvent> {
  const measure = {
    ...measureEdge(registry),
    ...measureCalls(registry),
    ...measurePolicy(registry),
    ...measureAnswers(registry, tracer),
  };
  return createEmit({ logger, events: verificationEvents, logged: loggedFields, measure });
}

/** Makes the function that logs the events of what exists before the app's metrics do. */
export function createLogEmit(logger: AppEmitDeps["logger"]): Emit<VerificationEvent> {
  return createEmit({ logger, events: verificationEvents, logged: loggedFields });
}
