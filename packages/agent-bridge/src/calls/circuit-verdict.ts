import type { AgentErrorKind } from "@crosszone/contracts";
import type { CircuitPass } from "../breaker/circuit-breakers.ts";

/**
 * What a failure says about the agent's health: `failed` when unhealthy, `succeeded` when alive, `abandoned` when
 * unknown.
 */
export const circuitVerdict: Readonly<Record<AgentErrorKind, keyof CircuitPass>> = {
  unreachable: "failed",
  call_timeout: "failed",
  http_unavailable: "failed",
  rpc_unavailable: "failed",
  not_json: "failed",
  invalid_envelope: "failed",
  invalid_response: "failed",
  redirect_refused: "succeeded",
  http_error: "succeeded",
  unauthorized: "succeeded",
  response_too_large: "succeeded",
  rpc_error: "succeeded",
  task_failed: "succeeded",
  task_canceled: "succeeded",
  task_rejected: "succeeded",
  task_state_unknown: "succeeded",
  input_required: "succeeded",
  auth_required: "succeeded",
  rate_limited: "abandoned",
  secret_unavailable: "abandoned",
  address_refused: "abandoned",
  deadline_exceeded: "abandoned",
  circuit_open: "abandoned",
  canceled: "abandoned",
  internal: "abandoned",
  invalid_task: "abandoned",
  unknown_agent: "abandoned",
  agent_disabled: "abandoned",
  protocol_unsupported: "abandoned",
};
