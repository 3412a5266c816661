import type { IncomingMessage, ServerResponse } from "node:http";
import { readTraceparent, type Tracer } from "@crosszone/service-kit/tracing";

type Route = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Puts each request for a file into a span, under the task that asks. Slack's calls for it belong to it.
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
