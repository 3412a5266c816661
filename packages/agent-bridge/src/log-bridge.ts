import type { Logger } from "@crosszone/service-kit";
import { traceFields } from "@crosszone/service-kit/tracing";
import { ProtocolTranslationError } from "./adapters/protocol-translation-error.ts";
import type { BridgeEvent } from "./bridge-events.ts";
import type { AgentCallIds, AgentExchange, AgentTaskIds, BridgeObserver, FailedEnd } from "./bridge-observer.ts";

/** The most of a body in a log line, bytes. The logger shortens it further and redacts secrets. */
const shownBytes = 8_192;

/**
 * Returns an observer that logs the bridge's events. A failure is one line at `error`, where it arose, with the data
 * that couldn't be translated. The end of the call then names only its kind. The logger shortens outputs, requests and
 * responses, and redacts secrets.
 */
export function logBridge(logger: Logger<BridgeEvent>): BridgeObserver {
  return {
    requestTranslated: (call, { request, ...exchange }) =>
      logger.debug("protocol_request_translation", { ...fieldsOf(call, exchange), request }),
    responseTranslated: (call, { reply, warnings, ...exchange }) => {
      const fields = { ...fieldsOf(call, exchange), status: reply.status, bytes: reply.body.byteLength };
      const response = new TextDecoder().decode(reply.body.subarray(0, shownBytes));
      logger.debug("protocol_response_translation", { ...fields, response });
      if (warnings.length > 0) logger.warn("protocol_response_odd", { ...fields, warnings });
    },
    translationFailed: (call, { error, ...exchange }) => {
      const { kind, direction, message, originalData, cause } = error;
      const fields = { ...fieldsOf(call, exchange), kind, direction, because: message, data: originalData };
      logger.error("protocol_translation_error", cause === undefined ? fields : { ...fields, cause });
    },
    retried: (call, { failure, pauseMs, ...exchange }) =>
      logger.warn("agent_call_retried", {
        ...fieldsOf(call, exchange),
        kind: failure.kind,
        because: failure.message,
        pause_ms: Math.round(pauseMs),
      }),
    callEnded: (call, { attempts, durationMs, result: { error, output } }) => {
      const fields = { ...idsOf(call), attempt: attempts, duration_ms: Math.round(durationMs) };
      if (error === null) logger.info("agent_call_ended", { ...fields, status: "success", output });
      // Already logged, with the response.
      else if (error instanceof ProtocolTranslationError)
        logger.info("agent_call_ended", { ...fields, status: "error", kind: error.kind });
      else logger.error("agent_call_failed", { ...fields, kind: error.kind, error });
    },
    callAborted: (call, { attempts, durationMs, reason }) =>
      logger.info("agent_call_aborted", {
        ...idsOf(call),
        attempt: attempts,
        duration_ms: Math.round(durationMs),
        because: reason instanceof Error ? reason.message : String(reason),
      }),
    cancelFailed: (call, { kind, message }) =>
      logger.warn("agent_cancel_failed", { ...idsOf(call), kind, because: message }),
    circuitChanged: ({ agent, from, to }) =>
      logger[to === "open" ? "warn" : "info"]("agent_circuit_changed", { agent_name: agent, from, to }),
    canaryTaskEnded: () => undefined,
    canaryEnded: ({ agent, revision, reason }) =>
      logger.warn("agent_canary_ended", { agent_name: agent, revision, because: reason }),

    taskStored: (task, { isNew }) => logger.info("agent_task_stored", { ...idsOf(task), is_new: isNew }),
    taskTaken: (task, { take, waitedMs }) =>
      logger.info("agent_task_taken", { ...idsOf(task), take, waited_ms: Math.round(waitedMs) }),
    taskEnded: (task, { state, durationMs, failure }) =>
      logger.info("agent_task_ended", {
        ...idsOf(task),
        state,
        duration_ms: Math.round(durationMs),
        ...(failure !== undefined && { kind: failure.kind }),
      }),
    taskRefused: (task, end) => logger.error("agent_task_refused", { ...idsOf(task), ...failedFields(end) }),
    resultRefused: (task, end) => logger.error("agent_result_refused", { ...idsOf(task), ...failedFields(end) }),
    taskLetGo: (task, why) => logger.warn("agent_task_let_go", { ...idsOf(task), because: why }),
    storeFailed: (operation, cause) => logger.warn("agent_store_failed", { operation, cause }),
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
