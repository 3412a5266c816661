/** What the zones report: every metric and every log event, by name. */
export type { AlertDefinition, LabelRows, MetricDefinition, MetricType, Zone } from "./definitions.ts";
export {
  subjectFields,
  type EventDefinition,
  type EventDefinitions,
  type EventMetrics,
  type FieldRows,
} from "./event-rows.ts";
export {
  executionEvents,
  processEvents,
  verificationEvents,
  type EventFields,
  type EventName,
  type EventSubject,
  type ExecutionEvent,
  type ProcessEvent,
  type VerificationEvent,
} from "./events.ts";
export { executionSubjects } from "./execution-events.ts";
export { metrics, type MetricLabels, type MetricName, type RequestMetricsName } from "./metrics.ts";
export { verificationSubjects } from "./verification-events.ts";
