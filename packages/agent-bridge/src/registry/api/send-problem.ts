import type { IncomingMessage, ServerResponse } from "node:http";
import type { Problem } from "@crosszone/contracts";
import { answer } from "@crosszone/service-kit";
import { isTransient } from "@crosszone/sql";
import { problemTable, RegistryProblem } from "./registry-problem.ts";

/** Turns whatever was thrown into what may be told. An error of ours becomes `internal`, with fixed text. */
export function problemOf(error: unknown): RegistryProblem {
  if (error instanceof RegistryProblem) return error;
  if (isTransient(error))
    return new RegistryProblem("unavailable", "Try again in a moment.", { headers: { "retry-after": "1" } });
  // What Express says of a path that is not percent-encoded.
  if ((error as { status?: unknown } | null)?.status === 400)
    return new RegistryProblem("malformed_request", "Encode the agent's name as encodeURIComponent does.");
  return new RegistryProblem("internal", "Look for the correlation id in the log.");
}

/** Answers as RFC 9457 says. https://www.rfc-editor.org/rfc/rfc9457 */
export function sendProblem(
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  { kind, message, problems, headers }: RegistryProblem,
  correlationId: string,
): void {
  const { status, title } = problemTable[kind];
  const body: Problem = {
    type: `https://crosszone.dev/problems/${kind.replaceAll("_", "-")}`,
    title,
    status,
    detail: message,
    correlation_id: correlationId,
    ...(problems !== undefined && { problems: [...problems] }),
  };
  const all = {
    ...headers,
    "x-correlation-id": correlationId,
    // A kept connection would take a body that is not read for the next request.
    ...(!request.complete && { connection: "close" }),
  };
  answer(response, status, {
    contentType: "application/problem+json",
    body: JSON.stringify(body),
    headers: Object.entries(all).flat(),
  });
}
