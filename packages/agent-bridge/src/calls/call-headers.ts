import type { AgentTask } from "@crosszone/contracts";

/**
 * What goes along with every request of a task, be it repeated or a poll: `X-Correlation-ID`, `Idempotency-Key` of run and task, and
 * `traceparent`. Ids have any characters; those that a header cannot carry are percent-encoded.
 * https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/, https://www.w3.org/TR/trace-context/
 */
export function callHeaders(
  { run_id, task_id, correlation_id }: AgentTask,
  traceparent: string | undefined,
): Readonly<Record<string, string>> {
  return {
    "x-correlation-id": headerText(correlation_id),
    "idempotency-key": `${encodeURIComponent(run_id.toWellFormed())}/${encodeURIComponent(task_id.toWellFormed())}`,
    ...(traceparent !== undefined && { traceparent }),
  };
}

/** Visible ASCII as it is, all else encoded. */
function headerText(text: string): string {
  return /^[!-~]+$/.test(text) ? text : encodeURIComponent(text.toWellFormed());
}
