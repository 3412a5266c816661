/** What the zones report: every metric and every log event, by name. */
export type { EventDefinition, EventDefinitions, MetricDefinition, MetricType, Zone } from "./definitions.ts";
export {
  executionEvents,
  processEvents,
  verificationEvents,
  type ExecutionEvent,
  type ProcessEvent,
  type VerificationEvent,
} from "./events.ts";
export { executionSubjects } from "./execution-events.ts";
export { metrics, type MetricName, type RequestMetricsName } from "./metrics.ts";
export { verificationSubjects } from "./verification-events.ts";
