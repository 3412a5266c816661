import { errorTable, ZoneError } from "@crosszone/contracts";
import { type BadRequest, type BadRequestAnswer, badRequestStatuses, createCounter } from "@crosszone/service-kit";
import { type Refusal, refusalReasons, refusalText } from "../http/refuse.ts";
import type { Telemetry } from "./log-events.ts";

export interface HttpObservation {
  httpRefused: (refusal: Refusal) => void;
  /** Called for invalid or too slow HTTP, which never became a request. Returns the answer. */
  httpBroken: (error: BadRequest) => BadRequestAnswer;
  httpFailed: (error: unknown, requestId: string) => void;
}

/** Turns HTTP refusals and failures into log lines and metrics. */
export function observeHttp({ logger, metrics }: Telemetry): HttpObservation {
  const refused = createCounter(metrics.registry, {
    name: "http_requests_refused_total",
    help: "Requests that HTTP refused before JSON-RPC saw them, by reason",
    labels: { reason: [...refusalReasons, ...badRequestStatuses.map((status) => `http_${status}`)] },
  });
  return {
    httpRefused: ({ status, kind, reason, correlationId, requestId, cause }) => {
      refused.add({ reason });
      const ids = { correlation_id: correlationId, http_request_id: requestId };
      const fields = { status, kind, reason, code: errorTable[kind].code, ...ids };
      logger.warn("http_refused", cause === undefined ? fields : { ...fields, cause });
    },
    httpBroken: ({ status, code: parser, requestId }) => {
      const [kind, reason] = ["invalid_request", `http_${status}`] as const;
      refused.add({ reason });
      const { code } = errorTable[kind];
      logger.warn("http_refused", { status, kind, reason, code, parser, http_request_id: requestId });
      return { contentType: "application/json", body: refusalText(new ZoneError(kind)) };
    },
    httpFailed: (cause, requestId) => {
      const { code } = errorTable.internal;
      logger.error("http_failed", { kind: "internal", code, http_request_id: requestId, cause });
    },
  };
}
