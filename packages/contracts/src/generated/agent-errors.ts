/* Generated from schemas/ by packages/contracts/scripts/generate.ts. Do not edit; run `pnpm generate`. */
import type { AgentErrorKind } from "./types.ts";

/** One row of the catalogue of agent errors. */
export interface AgentErrorRow {
  /** Whether the bridge may call the agent again with the same request. */
  readonly retryable: boolean;
  readonly title: string;
  readonly description: string;
}

/** Agent error kind → retryable, title: why an agent did not do a task. */
export const agentErrorTable: Readonly<Record<AgentErrorKind, AgentErrorRow>> = {
  "invalid_task": {
    "retryable": false,
    "title": "Task message invalid",
    "description": "The message on the bus is no agent task."
  },
  "unknown_agent": {
    "retryable": false,
    "title": "Unknown agent",
    "description": "The registry has no agent of this name."
  },
  "agent_disabled": {
    "retryable": false,
    "title": "Agent disabled",
    "description": "The agent is registered and switched off."
  },
  "protocol_unsupported": {
    "retryable": false,
    "title": "Protocol unsupported",
    "description": "No adapter speaks the protocol that the agent is registered with."
  },
  "address_refused": {
    "retryable": false,
    "title": "Address refused",
    "description": "The agent's address is not one that this installation may call."
  },
  "redirect_refused": {
    "retryable": false,
    "title": "Redirect refused",
    "description": "The agent answered with a redirect; none is followed."
  },
  "secret_unavailable": {
    "retryable": false,
    "title": "Secret unavailable",
    "description": "A secret that the agent's authentication refers to cannot be read."
  },
  "unreachable": {
    "retryable": true,
    "title": "Agent unreachable",
    "description": "No connection: name not resolved, refused, reset, or no TLS."
  },
  "call_timeout": {
    "retryable": true,
    "title": "Agent call timed out",
    "description": "One call took longer than the agent's timeout."
  },
  "deadline_exceeded": {
    "retryable": false,
    "title": "Task deadline exceeded",
    "description": "The task's deadline passed before the agent was done."
  },
  "http_error": {
    "retryable": false,
    "title": "HTTP error",
    "description": "An HTTP status below 500 that is no success, and no JSON-RPC body beside it."
  },
  "http_unavailable": {
    "retryable": true,
    "title": "Agent unavailable for now",
    "description": "HTTP 408, 425 or 5xx, and no JSON-RPC body beside it."
  },
  "rate_limited": {
    "retryable": true,
    "title": "Rate limited by the agent",
    "description": "HTTP 429; `Retry-After` is waited out."
  },
  "unauthorized": {
    "retryable": false,
    "title": "Unauthorized at the agent",
    "description": "HTTP 401 or 403: the agent does not take our credentials."
  },
  "response_too_large": {
    "retryable": false,
    "title": "Response too large",
    "description": "The agent's answer is larger than the limit."
  },
  "not_json": {
    "retryable": false,
    "title": "Response is no JSON",
    "description": "The agent's answer is not JSON in UTF-8."
  },
  "invalid_envelope": {
    "retryable": false,
    "title": "Response envelope invalid",
    "description": "JSON, but no answer to this request: wrong `jsonrpc` or `id`, neither or both of `result` and `error`."
  },
  "invalid_response": {
    "retryable": false,
    "title": "Response invalid",
    "description": "The answer lacks what its protocol demands, such as a status."
  },
  "rpc_error": {
    "retryable": false,
    "title": "JSON-RPC error",
    "description": "The agent answered with a JSON-RPC error."
  },
  "rpc_unavailable": {
    "retryable": true,
    "title": "JSON-RPC error for now",
    "description": "The agent answered with a JSON-RPC error that can pass: `data.retryable` is true, or a server error with HTTP 429 or 5xx."
  },
  "task_failed": {
    "retryable": false,
    "title": "Agent failed",
    "description": "The agent says that the task failed."
  },
  "task_canceled": {
    "retryable": false,
    "title": "Canceled by the agent",
    "description": "The agent says that the task was canceled, and we did not ask for it."
  },
  "task_rejected": {
    "retryable": false,
    "title": "Rejected by the agent",
    "description": "The agent refuses to do the task."
  },
  "task_state_unknown": {
    "retryable": false,
    "title": "Task state unknown",
    "description": "The agent names no state, or one that its protocol does not have."
  },
  "input_required": {
    "retryable": false,
    "title": "Agent needs input",
    "description": "The agent asks a question. `open_task_id` names its task, which the next task of the conversation can continue."
  },
  "auth_required": {
    "retryable": false,
    "title": "Agent needs authorization",
    "description": "The agent asks for an authorization. `open_task_id` names its task."
  },
  "circuit_open": {
    "retryable": false,
    "title": "Agent paused",
    "description": "The agent failed too often in a row and is not called for a while."
  },
  "canceled": {
    "retryable": false,
    "title": "Task canceled",
    "description": "The task was canceled by whoever gave it."
  },
  "internal": {
    "retryable": false,
    "title": "Internal error",
    "description": "Something unexpected. The log has it under the correlation id."
  }
};
