import type { IncomingMessage, ServerResponse } from "node:http";
import type { Emit } from "@crosszone/service-kit";
import { readTraceparent, type Tracer } from "@crosszone/service-kit/tracing";
import type { VerificationEvent } from "@crosszone/telemetry";
import type { FileEnd } from "./file-route.ts";

/**
 * Runs a request for a file in a span, whose parent is the task's span. Slack calls for the file are its children.
 * https://opentelemetry.io/docs/specs/semconv/http/http-spans/#http-server
 */
export async function traceFile(
  tracer: Tracer,
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  serve: () => Promise<void>,
): Promise<void> {
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
}

/** Reports a request for a file: ids, outcome, size and duration; never a handle, a name or a URL. */
export function reportFile(
  emit: Emit<VerificationEvent>,
  { outcome, grant, fileId, bytes, durationMs, requestId, cause }: FileEnd,
  traceparent: string | undefined,
): void {
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
    traceparent,
    bytes,
    duration_ms: durationMs,
  };
  if (outcome === "served") emit("file_served", fields);
  else emit("file_refused", { ...fields, reason: outcome, ...(cause !== undefined && { cause }) });
}
