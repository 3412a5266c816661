import { errorTable } from "@crosszone/contracts";
import { badRequestStatuses, createCounter } from "@crosszone/service-kit";
import type { HttpObserver } from "../http/http-observer.ts";
import { refusalReasons } from "../http/refuse.ts";
import type { Telemetry } from "./telemetry.ts";

/** Turns refusals and failures of HTTP into log lines and metrics. */
export function observeHttp({ logger, metrics }: Telemetry): HttpObserver {
  const refused = createCounter(metrics.registry, "http_requests_refused_total", {
    reason: [...refusalReasons, ...badRequestStatuses.map((status) => `http_${status}`)],
  });
  return {
    refused: ({ status, kind, reason, correlationId, requestId, cause }) => {
      refused.add({ reason });
      const ids = { correlation_id: correlationId, http_request_id: requestId };
      const fields = { status, kind, reason, code: errorTable[kind].code, ...ids };
      logger.warn("http_refused", cause === undefined ? fields : { ...fields, cause });
    },
    badRequest: ({ status, code: parser, requestId }) => {
      const [kind, reason] = ["invalid_request", `http_${status}`] as const;
      refused.add({ reason });
      const { code } = errorTable[kind];
      logger.warn("http_refused", { status, kind, reason, code, parser, http_request_id: requestId });
    },
    failed: (cause, requestId) => {
      const { code } = errorTable.internal;
      logger.error("http_failed", { kind: "internal", code, http_request_id: requestId, cause });
    },
  };
}
