/* Generated from schemas/ by dev/scripts/contract/generate.ts. Do not edit; run `pnpm generate`. */
import type { AgentErrorKind } from "./types.ts";

/** One row of the catalog of agent errors. */
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
    "description": "The message on the bus is not an agent task."
  },
  "unknown_agent": {
    "retryable": false,
    "title": "Unknown agent",
    "description": "The registry has no agent of this name."
  },
  "agent_disabled": {
    "retryable": false,
    "title": "Agent disabled",
    "description": "The agent is registered but disabled."
  },
  "protocol_unsupported": {
    "retryable": false,
    "title": "Protocol unsupported",
    "description": "No adapter supports the protocol that the agent is registered with."
  },
  "address_refused": {
    "retryable": false,
    "title": "Address refused",
    "description": "This installation does not allow calls to the agent's address."
  },
  "card_refused": {
    "retryable": false,
    "title": "Agent card not trusted",
    "description": "No signature of the agent's card is valid with a trusted key."
  },
  "redirect_refused": {
    "retryable": false,
    "title": "Redirect refused",
    "description": "The agent responded with a redirect. Crosszone follows none."
  },
  "secret_unavailable": {
    "retryable": false,
    "title": "Secret unavailable",
    "description": "A secret for the agent's authentication can't be read."
  },
  "unreachable": {
    "retryable": true,
    "title": "Agent unreachable",
    "description": "No connection: the name was not resolved, the connection was refused or reset, or TLS failed."
  },
  "call_timeout": {
    "retryable": true,
    "title": "Agent call timed out",
    "description": "One call took longer than the agent's timeout."
  },
  "deadline_exceeded": {
    "retryable": false,
    "title": "Task deadline exceeded",
    "description": "The task's deadline passed before the agent finished."
  },
  "http_error": {
    "retryable": false,
    "title": "HTTP error",
    "description": "An HTTP error status below 500 without a JSON-RPC body."
  },
  "http_unavailable": {
    "retryable": true,
    "title": "Agent unavailable for now",
    "description": "HTTP 408, 425 or 5xx without a JSON-RPC body."
  },
  "rate_limited": {
    "retryable": true,
    "title": "Rate limited by the agent",
    "description": "HTTP 429. The bridge waits for `Retry-After` before it retries."
  },
  "unauthorized": {
    "retryable": false,
    "title": "Unauthorized at the agent",
    "description": "HTTP 401 or 403: the agent rejected our credentials."
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
    "description": "The JSON is not a response to this request: wrong `jsonrpc` or `id`, or neither or both of `result` and `error`."
  },
  "invalid_response": {
    "retryable": false,
    "title": "Response invalid",
    "description": "The response lacks a member that the protocol requires, such as a status, or has a value that can't be kept, such as 1e400."
  },
  "rpc_error": {
    "retryable": false,
    "title": "JSON-RPC error",
    "description": "The agent answered with a JSON-RPC error."
  },
  "rpc_unavailable": {
    "retryable": true,
    "title": "JSON-RPC error for now",
    "description": "The agent answered with a transient JSON-RPC error: `data.retryable` is true, or it is a server error with HTTP 429 or 5xx."
  },
  "task_failed": {
    "retryable": false,
    "title": "Agent failed",
    "description": "The agent reports that the task failed."
  },
  "task_canceled": {
    "retryable": false,
    "title": "Canceled by the agent",
    "description": "The agent reports that the task was canceled, although nothing on our side canceled it."
  },
  "task_rejected": {
    "retryable": false,
    "title": "Rejected by the agent",
    "description": "The agent rejected the task."
  },
  "task_state_unknown": {
    "retryable": false,
    "title": "Task state unknown",
    "description": "The agent names no state, or a state that its protocol does not define."
  },
  "task_lost": {
    "retryable": false,
    "title": "Task lost by the agent",
    "description": "The agent accepted the task and no longer knows it (TaskNotFoundError), for example after a restart."
  },
  "answer_lost": {
    "retryable": false,
    "title": "Answer lost",
    "description": "An agent may have acted, but its answer was lost. An agent with side effects answered too late, or its connection broke; any agent opened a stream and ended it, or was silent, before it named its task. The request is not repeated."
  },
  "input_required": {
    "retryable": false,
    "title": "Agent needs input",
    "description": "The agent asks a question. `open_task_id` names its task, which the next task of the conversation can continue."
  },
  "auth_required": {
    "retryable": false,
    "title": "Agent needs authorization",
    "description": "The agent needs an authorization. `open_task_id` names its task."
  },
  "circuit_open": {
    "retryable": false,
    "title": "Agent paused",
    "description": "The agent failed too often in a row. Crosszone stops calling it for a while."
  },
  "canceled": {
    "retryable": false,
    "title": "Task canceled",
    "description": "The sender canceled the task."
  },
  "internal": {
    "retryable": false,
    "title": "Internal error",
    "description": "An unexpected error. Find it in the log by the correlation id."
  }
};
