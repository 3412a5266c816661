import { createCounter, createRedMetrics } from "@crosszone/service-kit";
import { readTraceparent, traceFields } from "@crosszone/service-kit/tracing";
import type { EdgeObserver } from "../../edge/edge-observer.ts";
import { installRefusals } from "../../edge/install/install-refusal.ts";
import { fileRefusals } from "../../slack/files/file-refusal.ts";
import { errorFields } from "./error-fields.ts";
import type { ObserverDeps } from "./observer-deps.ts";

/** Counts, logs and traces file requests: ids, outcome, size and duration; never a handle, a name or a URL. */
export function observeFiles({
  logger,
  registry,
  tracer,
}: ObserverDeps): Pick<EdgeObserver, "traceFile" | "fileEnded"> {
  const files = createRedMetrics(registry, "file", { outcomes: ["served", "gone", ...Object.keys(fileRefusals)] });
  return {
    // Slack calls for the file are children of the span. https://opentelemetry.io/docs/specs/semconv/http/http-spans/#http-server
    traceFile: async (request, response, serve) => {
      const span = tracer.start("GET /files/{id}", {
        kind: "server",
        traceparent: readTraceparent(request.headers["traceparent"]),
        attributes: { "http.request.method": request.method, "http.route": "/files/{id}" },
      });
      try {
        await span.run(serve);
      } finally {
        const status = response.statusCode;
        span.end({
          attributes: { "http.response.status_code": status },
          error: status >= 500 ? String(status) : undefined,
        });
      }
    },
    fileEnded: ({ outcome, grant, fileId, bytes, durationMs, requestId, cause }) => {
      files.record({ labels: {}, outcome, durationMs });
      const fields = {
        ...(grant && {
          correlation_id: grant.correlation_id,
          request_id: grant.request_id,
          team_id: grant.team_id,
          channel: grant.channel,
          // Ids that the handle does not cover come from strangers and are not logged.
          file_id: grant.file_ids.includes(fileId) ? fileId : undefined,
        }),
        http_request_id: requestId,
        ...traceFields(tracer.current()?.traceparent),
        bytes,
        duration_ms: Math.round(durationMs),
      };
      if (outcome === "served") logger.info("file_served", fields);
      else logger.warn("file_refused", { ...fields, reason: outcome, ...(cause !== undefined && { cause }) });
    },
  };
}

/** Counts and logs installations that succeed, fail or are removed: ids, never a token, code or state. */
export function observeInstalls({
  logger,
  registry,
}: ObserverDeps): Pick<EdgeObserver, "installEnded" | "installationRemoved"> {
  const installs = createCounter(registry, "slack_installs_total", {
    outcome: ["installed", "removed", ...installRefusals],
  });
  return {
    installEnded: (end, requestId) => {
      const { installed } = end;
      installs.add({ outcome: installed === undefined ? end.refusal : "installed" });
      if (installed !== undefined) {
        const { id, enterprise_id, installed_by } = installed;
        logger.info("app_installed", { installation: id, enterprise_id, installed_by, http_request_id: requestId });
      } else
        logger.warn("install_refused", {
          reason: end.refusal,
          team_id: end.team_id,
          http_request_id: requestId,
          ...(end.cause !== undefined && { ...errorFields(end.cause), cause: end.cause }),
        });
    },
    installationRemoved: (id) => {
      installs.add({ outcome: "removed" });
      logger.info("app_removed", { installation: id });
    },
  };
}
