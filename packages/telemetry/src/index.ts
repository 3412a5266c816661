/** What the zones report: every metric and every log event, by name. */
export type { MetricDefinition, Zone } from "./definitions.ts";
export { subjectFields, type EventDefinition, type EventDefinitions } from "./event-rows.ts";
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
export { metrics, type MetricName } from "./metrics.ts";
export { verificationSubjects } from "./verification-events.ts";
