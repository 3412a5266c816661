import { debug, ended, error, failedCall, info, same, timed, warn } from "./event-rows.ts";

const call = { ...timed, attempt: "number" } as const;
const failure = { kind: "text", error: "any" } as const;
const exchange = { ...call, operation: "text" } as const;

/** The log events of agents and their calls. */
export const agents = {
  agent_changed: info("An agent was registered, changed or deleted", {
    by: "text",
    "deleted?": "flag",
    "revision?": "number",
    "enabled?": "flag",
  }),
  agent_hidden: warn("An agent is hidden, because another one has its name", { agent_kind: "text" }),
  agent_not_compliant: warn("A moved agent breaks rules of its protocol", { because: "text", "cause?": "any" }),
  agent_not_usable: error("A registered agent has invalid settings", { because: "text" }),
  bridge_call_stored: info("An agent call was stored", { is_new: "flag" }),
  bridge_call_leased: info("A process leased an agent call", { take: "number", waited_ms: "number" }),
  bridge_call_ended: info(
    "An agent call has a stored result",
    { ...ended, state: "text", "cause?": "any" },
    { requests: { bridge_call: ({ agent_name, state: outcome }) => ({ agent_name, outcome }) } },
  ),
  bridge_call_refused: error("An agent call was invalid and got a failure as result", { ...call, ...failure }),
  bridge_call_lease_lost: warn("Another process took the agent call over", { because: "text" }),
  agent_result_refused: error("A result was too large or invalid to be stored", {
    ...timed,
    ...failure,
    "attempt?": "number",
  }),
  agent_store_failed: warn("An operation on stored agent calls failed; it is retried", failedCall, {
    counts: { agent_store_failures_total: same },
  }),
  agent_call_retried: warn(
    "A request to an agent failed; it is retried",
    { ...exchange, kind: "text", because: "content", pause_ms: "number" },
    { counts: { agent_call_retries_total: ({ agent_name, kind: error_type }) => ({ agent_name, error_type }) } },
  ),
  agent_call_ended: info(
    "The agent answered",
    { ...call, status: "text", "output?": "content", "kind?": "text" },
    { requests: { agent_call: ({ agent_name, kind: outcome = "success" }) => ({ agent_name, outcome }) } },
  ),
  agent_call_failed: error(
    "The agent failed",
    { ...call, ...failure },
    { requests: { agent_call: ({ agent_name, kind: outcome }) => ({ agent_name, outcome }) } },
  ),
  agent_call_aborted: info(
    "A call was canceled or passed its deadline",
    { ...call, because: "text" },
    { requests: { agent_call: ({ agent_name }) => ({ agent_name, outcome: "aborted" }) } },
  ),
  agent_cancel_failed: warn("An agent did not accept the cancel", { kind: "text", because: "content" }),
  agent_circuit_changed: info(
    "An agent's circuit changed; `warn` when it opened",
    { from: "text", to: "text" },
    {
      levelOf: ({ to }) => (to === "open" ? "warn" : "info"),
      counts: { agent_circuit_changes_total: ({ agent_name, to }) => ({ agent_name, to }) },
    },
  ),
  protocol_request_translation: debug(
    "A request as it was sent to the agent",
    { ...exchange, request: "content" },
    {
      counts: { agent_protocol_requests_total: ({ protocol, agent_name }) => ({ protocol, agent_name }) },
      times: { protocol_translation_duration_seconds: ({ protocol }) => ({ protocol, direction: "request" }) },
    },
  ),
  protocol_response_translation: debug(
    "A response as it came from the agent",
    { ...exchange, status: "number", bytes: "number", response: "content", warnings: "content" },
    {
      times: { protocol_translation_duration_seconds: ({ protocol }) => ({ protocol, direction: "response" }) },
    },
  ),
  protocol_response_odd: warn("A response breaks a rule of the protocol, and is usable", {
    ...exchange,
    status: "number",
    bytes: "number",
    warnings: "content",
  }),
  protocol_translation_error: error(
    "A response is not usable",
    { ...exchange, kind: "text", direction: "text", because: "content", "data?": "content", "cause?": "any" },
    {
      counts: {
        protocol_translation_errors_total: ({ protocol, direction, kind: error_type }) => ({
          protocol,
          direction,
          error_type,
        }),
      },
    },
  ),
};
