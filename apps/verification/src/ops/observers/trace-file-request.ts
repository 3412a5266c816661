import type { IncomingMessage, ServerResponse } from "node:http";
import { readTraceparent, type Tracer } from "@crosszone/service-kit/tracing";

type Route = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Runs each file request in a span, whose parent is the task's span. Slack calls for the file are its children.
 * https://opentelemetry.io/docs/specs/semconv/http/http-spans/#http-server
 */
export function traceFileRequest(tracer: Tracer, route: Route): Route {
  return async (request, response) => {
    const span = tracer.start("GET /files/{id}", {
      kind: "server",
      traceparent: readTraceparent(request.headers["traceparent"]),
      attributes: { "http.request.method": request.method, "http.route": "/files/{id}" },
    });
    try {
      await span.run(() => route(request, response));
    } finally {
      const status = response.statusCode;
      span.end({
        attributes: { "http.response.status_code": status },
        error: status >= 500 ? String(status) : undefined,
      });
    }
  };
}
