import { agentErrorTable } from "@crosszone/contracts";
import { createCounter, createHistogram, createRedMetrics } from "@crosszone/service-kit";
import type { Logger, MetricsRegistry } from "@crosszone/service-kit";
import { traceFields } from "@crosszone/service-kit/tracing";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { ProtocolTranslationError } from "../protocol/agent-failure.ts";
import { agentTaskEnds, storeOperations } from "./bridge-observer.ts";
import type { AgentCallIds, AgentExchange, AgentTaskIds, BridgeObserver, FailedEnd } from "./bridge-observer.ts";

/** The allowed label values. All others become `other`, because names come from outside. */
interface BridgeLabels {
  readonly protocols: readonly string[];
  /** Whether an agent of this name is registered. */
  readonly isAgent: (name: string) => boolean;
}

/** Destinations of log lines and metrics, and the allowed label values. */
export interface ObserveBridgeOptions extends BridgeLabels {
  readonly logger: Logger<ExecutionEvent>;
  readonly registry: MetricsRegistry;
}

/**
 * Returns an observer that turns the bridge's events into log lines and metrics. A failure is one line at `error`, where it arose, with the
 * data that couldn't be translated. The end of the call then names only its kind. The logger shortens outputs, requests and responses, and
 * redacts secrets.
 */
export function observeBridge({ logger, registry, ...labels }: ObserveBridgeOptions): BridgeObserver {
  const metrics = createBridgeMetrics(registry, labels);
  return {
    ...observeTranslations(logger, metrics),
    ...observeCalls(logger, metrics),
    ...observeTasks(logger, metrics),
  };
}

type BridgeMetrics = ReturnType<typeof createBridgeMetrics>;

function createBridgeMetrics(registry: MetricsRegistry, { protocols: protocol, isAgent: agent_name }: BridgeLabels) {
  const direction = ["request", "response"];
  const error_type = Object.keys(agentErrorTable);
  const outcomes = ["success", "aborted", ...error_type];
  return {
    requests: createCounter(registry, "agent_protocol_requests_total", { protocol, agent_name }),
    translation: createHistogram(registry, "protocol_translation_duration_seconds", { protocol, direction }),
    translationErrors: createCounter(registry, "protocol_translation_errors_total", {
      protocol,
      direction,
      error_type,
    }),
    calls: createRedMetrics(registry, "agent_call", { labels: { agent_name }, outcomes }),
    retries: createCounter(registry, "agent_call_retries_total", { agent_name, error_type }),
    circuits: createCounter(registry, "agent_circuit_changes_total", {
      agent_name,
      to: ["closed", "open", "half_open"],
    }),
    tasks: createRedMetrics(registry, "bridge_call", { labels: { agent_name }, outcomes: agentTaskEnds }),
    storeFailures: createCounter(registry, "agent_store_failures_total", { operation: storeOperations }),
  };
}

/** Maximum size of a body in a log line, bytes. The logger shortens it further and redacts secrets. */
const shownBytes = 8_192;

function observeTranslations(
  logger: Logger<ExecutionEvent>,
  { requests, translation, translationErrors }: BridgeMetrics,
): Pick<BridgeObserver, "requestTranslated" | "responseTranslated" | "translationFailed"> {
  return {
    requestTranslated: (call, { request, ...exchange }) => {
      const { protocol, agent_name } = call;
      requests.add({ protocol, agent_name });
      translation.observe({ protocol, direction: "request" }, exchange.durationMs / 1_000);
      logger.debug("protocol_request_translation", { ...fieldsOf(call, exchange), request });
    },
    responseTranslated: (call, { reply, warnings, ...exchange }) => {
      translation.observe({ protocol: call.protocol, direction: "response" }, exchange.durationMs / 1_000);
      const fields = { ...fieldsOf(call, exchange), status: reply.status, bytes: reply.body.byteLength };
      const response = new TextDecoder().decode(reply.body.subarray(0, shownBytes));
      logger.debug("protocol_response_translation", { ...fields, response });
      if (warnings.length > 0) logger.warn("protocol_response_odd", { ...fields, warnings });
    },
    translationFailed: (call, { error, ...exchange }) => {
      const { kind, direction, message, originalData, cause } = error;
      translationErrors.add({ protocol: call.protocol, direction, error_type: kind });
      const fields = { ...fieldsOf(call, exchange), kind, direction, because: message, data: originalData };
      logger.error("protocol_translation_error", cause === undefined ? fields : { ...fields, cause });
    },
  };
}

type CallEvents = "retried" | "callEnded" | "callAborted" | "cancelFailed" | "circuitChanged";

function observeCalls(
  logger: Logger<ExecutionEvent>,
  { calls, retries, circuits }: BridgeMetrics,
): Pick<BridgeObserver, CallEvents> {
  return {
    retried: (call, { failure: { kind, message }, pauseMs, ...exchange }) => {
      retries.add({ agent_name: call.agent_name, error_type: kind });
      const fields = { ...fieldsOf(call, exchange), kind, because: message };
      logger.warn("agent_call_retried", { ...fields, pause_ms: Math.round(pauseMs) });
    },
    callEnded: (call, { attempts, durationMs, result: { error, output } }) => {
      const { agent_name } = call;
      calls.record({ labels: { agent_name }, outcome: error?.kind ?? "success", durationMs });
      const fields = { ...idsOf(call), attempt: attempts, duration_ms: Math.round(durationMs) };
      if (error === null) logger.info("agent_call_ended", { ...fields, status: "success", output });
      // Already logged, with the response.
      else if (error instanceof ProtocolTranslationError)
        logger.info("agent_call_ended", { ...fields, status: "error", kind: error.kind });
      else logger.error("agent_call_failed", { ...fields, kind: error.kind, error });
    },
    callAborted: (call, { attempts, durationMs, reason }) => {
      const { agent_name } = call;
      calls.record({ labels: { agent_name }, outcome: "aborted", durationMs });
      const because = reason instanceof Error ? reason.message : String(reason);
      const fields = { ...idsOf(call), attempt: attempts, duration_ms: Math.round(durationMs), because };
      logger.info("agent_call_aborted", fields);
    },
    cancelFailed: (call, { kind, message }) =>
      logger.warn("agent_cancel_failed", { ...idsOf(call), kind, because: message }),
    circuitChanged: ({ agent, from, to }) => {
      circuits.add({ agent_name: agent, to });
      logger[to === "open" ? "warn" : "info"]("agent_circuit_changed", { agent_name: agent, from, to });
    },
  };
}

function observeTasks(
  logger: Logger<ExecutionEvent>,
  { tasks, storeFailures }: BridgeMetrics,
): Omit<BridgeObserver, CallEvents | keyof ReturnType<typeof observeTranslations>> {
  return {
    taskStored: (task, { isNew }) => logger.info("bridge_call_stored", { ...idsOf(task), is_new: isNew }),
    taskLeased: (task, { attempt, waitedMs }) =>
      logger.info("bridge_call_leased", { ...idsOf(task), take: attempt, waited_ms: Math.round(waitedMs) }),
    taskEnded: (task, { state, durationMs, failure }) => {
      tasks.record({ labels: { agent_name: task.agent_name }, outcome: state, durationMs });
      const kind = failure !== undefined && { kind: failure.kind };
      logger.info("bridge_call_ended", { ...idsOf(task), state, duration_ms: Math.round(durationMs), ...kind });
    },
    taskRefused: (task, end) => logger.error("bridge_call_refused", { ...idsOf(task), ...failedFields(end) }),
    resultRefused: (task, end) => logger.error("agent_result_refused", { ...idsOf(task), ...failedFields(end) }),
    taskDropped: (task, reason) => logger.warn("bridge_call_lease_lost", { ...idsOf(task), because: reason }),
    storeFailed: (operation, cause) => {
      storeFailures.add({ operation });
      logger.warn("agent_store_failed", { operation, cause });
    },
  };
}

function idsOf(ids: AgentTaskIds | AgentCallIds): object {
  const { run_id, task_id, agent_name, correlation_id, traceparent } = ids;
  const protocol = "protocol" in ids ? { protocol: ids.protocol } : {};
  return { run_id, task_id, agent_name, correlation_id, ...protocol, ...traceFields(traceparent) };
}

function fieldsOf(call: AgentCallIds, { operation, attempt, durationMs }: AgentExchange): object {
  return { ...idsOf(call), operation, attempt, duration_ms: Math.round(durationMs * 1_000) / 1_000 };
}

function failedFields({ failure, attempts, durationMs }: FailedEnd): object {
  return { attempt: attempts, duration_ms: Math.round(durationMs), kind: failure.kind, error: failure };
}
