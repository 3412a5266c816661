import type { Outcome } from "@crosszone/jsonrpc";
import type { Task } from "../tasks/task.ts";
import type { RequestContext } from "./request-context.ts";

/** Receives events of the JSON-RPC methods, for logs, metrics and spans. A `cause` must never be sent to callers. */
export interface MethodObserver {
  /** A message arrived. The observer can replace `traceparent` by that of the zone's own span. */
  readonly received: (context: RequestContext) => void;
  readonly answered: (outcome: Outcome, context: RequestContext) => void;
  /** A task's progress couldn't be read; the caller got an answer without it. */
  readonly progressFailed: (task: Pick<Task, "task_id" | "correlation_id" | "agent">, cause: unknown) => void;
}
