/* Generated from schemas/ by dev/scripts/contract/generate.ts. Do not edit; run `pnpm generate`. */
import type { ErrorKind } from "./types.ts";

/** One row of the error catalog. */
export interface ErrorRow {
  /** JSON-RPC error code on the zone link. */
  readonly code: number;
  /** Whether the same request may be sent again. */
  readonly retryable: boolean;
  /** The `message` on the wire; fixed text. */
  readonly title: string;
  readonly description: string;
}

/** Error kind → code, retryable, title: the single error catalog. */
export const errorTable: Readonly<Record<ErrorKind, ErrorRow>> = {
  "parse_error": {
    "code": -32700,
    "retryable": false,
    "title": "Parse error",
    "description": "The bytes are not JSON in UTF-8."
  },
  "invalid_request": {
    "code": -32600,
    "retryable": false,
    "title": "Invalid Request",
    "description": "The JSON is not a JSON-RPC 2.0 request, or this endpoint does not support it (a batch, or nested too deep)."
  },
  "method_not_found": {
    "code": -32601,
    "retryable": false,
    "title": "Method not found",
    "description": "No method has this name."
  },
  "invalid_params": {
    "code": -32602,
    "retryable": false,
    "title": "Invalid params",
    "description": "`data.problems` names each wrong member by JSON pointer."
  },
  "internal": {
    "code": -32603,
    "retryable": false,
    "title": "Internal error",
    "description": "An unexpected error. Find it in the log of the execution zone by the correlation id."
  },
  "timeout": {
    "code": -32001,
    "retryable": false,
    "title": "Task timed out",
    "description": "The task was stopped at its deadline."
  },
  "task_not_found": {
    "code": -32000,
    "retryable": false,
    "title": "Task not found",
    "description": "This caller has no task with this id."
  },
  "input_request_not_found": {
    "code": -32000,
    "retryable": false,
    "title": "Input request not found",
    "description": "No input request of this caller has this id, or it was deleted."
  },
  "unknown_agent": {
    "code": -32000,
    "retryable": false,
    "title": "Unknown agent",
    "description": "No agent has this name."
  },
  "invalid_state_transition": {
    "code": -32000,
    "retryable": false,
    "title": "Invalid state transition",
    "description": "The task's state does not allow this, e.g. canceling a finished task."
  },
  "agent_unavailable": {
    "code": -32010,
    "retryable": true,
    "title": "Agent unavailable",
    "description": "The agent can't be reached."
  },
  "agent_failed": {
    "code": -32011,
    "retryable": false,
    "title": "Agent failed",
    "description": "The agent reported a failure."
  },
  "agent_invalid_response": {
    "code": -32012,
    "retryable": false,
    "title": "Agent response invalid",
    "description": "The agent's response violates its protocol."
  },
  "rate_limited": {
    "code": -32013,
    "retryable": true,
    "title": "Rate limited",
    "description": "Too many requests or tasks. `data.retry_after_ms` is the time to wait."
  },
  "unauthorized": {
    "code": -32014,
    "retryable": false,
    "title": "Unauthorized",
    "description": "The caller's credentials are missing or wrong."
  },
  "payload_too_large": {
    "code": -32015,
    "retryable": false,
    "title": "Payload too large",
    "description": "The request is larger than the limit."
  },
  "canceled": {
    "code": -32016,
    "retryable": false,
    "title": "Task canceled",
    "description": "The task was canceled before it ended."
  },
  "shutting_down": {
    "code": -32017,
    "retryable": true,
    "title": "Shutting down",
    "description": "The process is stopping and accepts no new tasks."
  },
  "agent_misconfigured": {
    "code": -32018,
    "retryable": false,
    "title": "Agent misconfigured",
    "description": "The agent's card or registration names an address or a protocol that can't be used, or nobody can decide what it asks."
  },
  "agent_lost_task": {
    "code": -32019,
    "retryable": false,
    "title": "Agent lost the task",
    "description": "The agent accepted the task and no longer knows it."
  },
  "agent_lost_answer": {
    "code": -32020,
    "retryable": false,
    "title": "Agent lost the answer",
    "description": "The agent has side effects and accepted the task, but its connection ended without an answer. The task is not sent again."
  },
  "zone_unavailable": {
    "code": -32021,
    "retryable": true,
    "title": "Zone unavailable",
    "description": "The execution zone can't work now, e.g. its database is unreachable or its disk is full. `data.problems` says why."
  }
};
