import type { AgentErrorKind, ErrorKind } from "@crosszone/contracts";

const kinds = {
  invalid_task: "internal",
  unknown_agent: "unknown_agent",
  agent_disabled: "unknown_agent",
  protocol_unsupported: "agent_misconfigured",
  address_refused: "agent_misconfigured",
  redirect_refused: "agent_unavailable",
  secret_unavailable: "agent_unavailable",
  unreachable: "agent_unavailable",
  call_timeout: "timeout",
  deadline_exceeded: "timeout",
  http_error: "agent_failed",
  http_unavailable: "agent_unavailable",
  rate_limited: "agent_unavailable",
  // The agent rejects this zone's credentials. The requester is not at fault.
  unauthorized: "agent_unavailable",
  response_too_large: "agent_invalid_response",
  not_json: "agent_invalid_response",
  invalid_envelope: "agent_invalid_response",
  invalid_response: "agent_invalid_response",
  rpc_error: "agent_failed",
  rpc_unavailable: "agent_unavailable",
  task_failed: "agent_failed",
  task_canceled: "agent_failed",
  task_rejected: "agent_failed",
  task_state_unknown: "agent_invalid_response",
  input_required: "agent_failed",
  auth_required: "agent_failed",
  circuit_open: "agent_unavailable",
  canceled: "canceled",
  internal: "internal",
} satisfies Record<AgentErrorKind, ErrorKind>;

/** Converts an agent's error kind to the zone link's. */
export const zoneKindOf = (kind: AgentErrorKind): ErrorKind => kinds[kind];
