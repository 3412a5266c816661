import type { Emit } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { AgentFailure } from "../protocol/agent-failure.ts";

/** Identifies a task in events. */
export interface AgentTaskIds {
  readonly run_id: string;
  readonly task_id: string;
  readonly agent_name: string;
  readonly correlation_id: string;
  readonly traceparent?: string;
}

/** Identifies an agent call: a task given to an agent, in the agent's protocol. */
export interface AgentCallIds extends AgentTaskIds {
  readonly protocol: string;
}

/** Requests to an agent: start a task, poll it, subscribe to its events, cancel it. */
export type AgentOperation = "send" | "poll" | "subscribe" | "cancel";

/** One request of a call. */
export interface AgentExchange {
  readonly operation: AgentOperation;
  /** Requests so far that started the task, including this one. */
  readonly attempt: number;
  readonly duration_ms: number;
}

/**
 * Reports the events of calls by name; the table says what each means. Each failure is reported once: by `protocol_translation_error` and
 * `agent_call_retried` within a call, by the call's end otherwise.
 */
export type BridgeEmit = Emit<ExecutionEvent>;

/** Reports that an operation of the store failed; it is retried. */
export const reportStoreFailed =
  (emit: BridgeEmit) =>
  (operation: "take" | "renew" | "release" | "end" | "progress", cause: unknown): void =>
    emit("agent_store_failed", { operation, cause });

/** The fields of a failure that ended a request or a call, with its whole error for the log. */
export const failedFields = (failure: AgentFailure): { readonly kind: string; readonly error: AgentFailure } => ({
  kind: failure.kind,
  error: failure,
});
