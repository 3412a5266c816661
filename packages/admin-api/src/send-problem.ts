import type { ServerResponse } from "node:http";
import type { Problem } from "@crosszone/contracts";
import { answer, refusalHeaders } from "@crosszone/service-kit";
import { isTransient } from "@crosszone/sql";
import { ApiProblem } from "./api-problem.ts";
import { SharedProblem } from "./shared-problem.ts";

/** Converts a thrown value to a public problem. An unexpected error becomes `internal`, with fixed text. */
export function problemOf(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  if (isTransient(error))
    return new SharedProblem("unavailable", "Try again in a moment.", { headers: { "retry-after": "1" } });
  // Express's error for a path that is not percent-encoded.
  if ((error as { status?: unknown } | null)?.status === 400)
    return new SharedProblem("malformed_request", "Encode each name in the path as encodeURIComponent does.");
  return new SharedProblem("internal", "Look for the correlation id in the log.");
}

/** Sends a problem response. https://www.rfc-editor.org/rfc/rfc9457 */
export function sendProblem(
  response: ServerResponse,
  { kind, status, title, message, problems, headers }: ApiProblem,
  correlationId: string,
): void {
  const body: Problem = {
    type: `https://crosszone.dev/problems/${kind.replaceAll("_", "-")}`,
    title,
    status,
    detail: message,
    correlation_id: correlationId,
    ...(problems !== undefined && { problems: [...problems] }),
  };
  const all = { ...headers, ...refusalHeaders({ request: response.req, correlationId }) };
  answer(response, status, {
    contentType: "application/problem+json",
    body: JSON.stringify(body),
    headers: Object.entries(all).flat(),
  });
}
