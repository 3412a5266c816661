import type { AgentTask } from "@crosszone/contracts";
import type { AgentOperation } from "../bridge-observer.ts";
import type { OpenCall } from "./open-call.ts";

/**
 * What goes along with a request of a task: `X-Correlation-ID` and `traceparent` with every one, and with what starts the task, also when
 * that is sent again, `Idempotency-Key` of run and task. A poll has none: the key belongs to one body, and whoever keeps answers by it
 * would answer the poll as before. Ids have any characters; those that a header cannot carry are percent-encoded.
 * https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/, https://www.w3.org/TR/trace-context/
 */
export function callHeaders(
  { task, options, adapter }: Pick<OpenCall, "task" | "options" | "adapter">,
  operation: AgentOperation,
): Readonly<Record<string, string>> {
  return {
    ...adapter.headers,
    "x-correlation-id": headerText(task.correlation_id),
    ...(operation === "send" && { "idempotency-key": idempotencyKey(task) }),
    ...(options.traceparent !== undefined && { traceparent: options.traceparent }),
  };
}

function idempotencyKey({ run_id, task_id }: AgentTask): string {
  return `${encodeURIComponent(run_id.toWellFormed())}/${encodeURIComponent(task_id.toWellFormed())}`;
}

/** Visible ASCII as it is, all else encoded. */
function headerText(text: string): string {
  return /^[!-~]+$/.test(text) ? text : encodeURIComponent(text.toWellFormed());
}
