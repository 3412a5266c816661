import type { AgentTask } from "@crosszone/contracts";
import type { AgentOperation } from "../bridge-observer.ts";
import type { OpenCall } from "./open-call.ts";

/**
 * Returns the headers of a task's request: `X-Correlation-ID` and `traceparent` always, and `Idempotency-Key` from run
 * and task for a request that starts the task, including retries. Polls have no key: a server that caches answers by
 * key would repeat its first answer. Ids can have any characters; those invalid in a header are percent-encoded.
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

/** Keeps visible ASCII and encodes everything else. */
function headerText(text: string): string {
  return /^[!-~]+$/.test(text) ? text : encodeURIComponent(text.toWellFormed());
}
