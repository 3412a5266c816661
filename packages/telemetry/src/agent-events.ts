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

const byWorkflow = ({ workflow_id: workflow = "" }: { readonly workflow_id?: string }) => ({ workflow });

const endOf = ({ state: outcome, ...of }: { readonly state: string; readonly workflow_id?: string }) => ({
  ...byWorkflow(of),
  outcome,
});

const counted = (kind: "broken" | "unreadable" | "timer" | "results") => ({
  counts: { workflow_failures_total: () => ({ kind }) },
});

/** The log events of workflow runs. */
export const workflows = {
  workflows_applied: info("The workflow files were read", { created: "list", kept: "number" }),
  run_started: info("A run started", {}, { counts: { workflow_runs_started_total: byWorkflow } }),
  run_ended: info(
    "A run ended; `warn` unless it succeeded",
    { ...timed, state: "text" },
    {
      levelOf: ({ state }) => (/succeeded|canceled/.test(state) ? "info" : "warn"),
      requests: { workflow_run: endOf },
    },
  ),
  run_reopened: info("A failed run was retried", {}, { counts: { workflow_runs_reopened_total: byWorkflow } }),
  run_broken: error("An internal error ended a run", { cause: "any" }, counted("broken")),
  run_unreadable: error("No key decrypts a run", { cause: "any" }, counted("unreadable")),
  run_result_unreadable: error(
    "No key decrypts the result of a step",
    { call_id: "text", cause: "any" },
    counted("unreadable"),
  ),
  run_results_failed: warn("Results of steps could not be read; it is retried", failedCall, counted("results")),
  run_timer_failed: warn("Due runs could not be found; it is retried", { cause: "any" }, counted("timer")),
  runs_overdue: error("Runs wait for their deadline longer than they should", {
    oldest_due_ms: "number",
    open: "number",
  }),
  step_started: debug("A step started", { path: "text", attempt: "number", state: "text" }),
  step_ended: debug(
    "A step ended",
    { ...timed, path: "text", attempt: "number", state: "text" },
    { requests: { workflow_step: endOf } },
  ),
};

const place = { channel: "text", group: "text" } as const;
const delivery = { ...place, attempt: "number" } as const;

const delivered = (outcome: "handled" | "failed" | "dead_letter") => ({
  counts: {
    bus_deliveries_total: ({ channel, group }: { readonly channel: string; readonly group: string }) => ({
      channel,
      group,
      outcome,
    }),
  },
});

/** The log events of the bus. */
export const bus = {
  bus_message_handled: debug(
    "A message from Kafka is handled",
    { ...delivery, ...timed },
    {
      ...delivered("handled"),
      times: { bus_handling_duration_seconds: same },
    },
  ),
  bus_message_dead: error(
    "A message from Kafka is a dead letter",
    { ...delivery, because: "text" },
    delivered("dead_letter"),
  ),
  bus_message_failed: warn(
    "A message from Kafka could not be handled; it is retried",
    { ...delivery, again_in_ms: "number", cause: "any" },
    delivered("failed"),
  ),
  bus_message_refused: error(
    "A message from Kafka is not usable",
    { channel: "text", because: "text" },
    { counts: { bus_messages_refused_total: same } },
  ),
  bus_messages_expired: error(
    "Messages expired on Kafka before their group read them; they are lost",
    { ...place, count: "number" },
    { adds: { bus_messages_expired_total: ({ channel, group, count }) => [[{ channel, group }, count]] } },
  ),
  bus_topic_changed: warn("A topic of Kafka was made again or has other partitions; its consumers join again", {
    channel: "text",
    partitions: "number",
    before: "number",
  }),
  bus_store_failed: warn("An operation on stored messages failed; it is retried", failedCall),
  bus_unreachable: warn("Kafka does not respond", { ...place, cause: "any" }),
  database_notifications_missing: warn("PostgreSQL's notifications do not arrive; jobs are found by polling", {
    cause: "any",
  }),
};
