import { agents } from "./agent-events.ts";
import { apiRequest, debug, ended, error, failedCall, from, info, quietPoll, same, warn, timed } from "./event-rows.ts";

const message = { ...ended, operation: "text", "asked_by?": "any", "bytes_in?": "number", "code?": "any" } as const;

/** The event is counted by its method and outcome. An unknown method is `other`. */
const byMethod = {
  requests: {
    rpc: ({ operation: method, kind: outcome = "success" }: { operation: string; kind?: string }) => ({
      method,
      outcome,
    }),
  },
};

const requests = {
  rpc_answered: info("A JSON-RPC request has its response", message, { ...byMethod, levelOf: quietPoll }),
  rpc_failed: warn(
    "A JSON-RPC request failed; `error` for an internal error",
    { ...message, "cause?": "any", "problems?": "any" },
    // An outage has warnings of its own, and the caller those of its retries.
    {
      ...byMethod,
      levelOf: ({ kind }) => (kind === "internal" ? "error" : kind === "zone_unavailable" ? "debug" : "warn"),
    },
  ),
  api_failed: error("A request to the admin API failed", { ...apiRequest, cause: "any" }),
  token_created: info("An API token was created", { name: "text", scopes: "list", by: "text", expires_at: "text" }),
  token_revoked: info("An API token was revoked", { name: "text", by: "text" }),
  token_used: info("Credentials were used, for the first time in a day from this place", {
    by: "text",
    surface: "text",
    ...from,
  }),
  token_uses_not_stored: warn("The uses of tokens could not be stored; it is retried", { cause: "any" }),
  ask_listening: info("Programs can ask at this address", { url: "text", "host?": "text", "port?": "number" }),
  program_storage_short: warn(
    "What is stored for a program is near its limit, or something was refused because of it",
    { by: "text", state: "text", most_bytes: "number" },
    { counts: { program_storage_short_total: ({ state }) => ({ state }) } },
  ),
  hook_left_out: error("A hook of the file has a mistake and is not served", { hook: "text", because: "text" }),
  hook_accepted: info(
    "A hook's delivery was accepted",
    { hook: "text", outcome: "text", "fire_id?": "text", "event_id?": "text", "state?": "text" },
    { counts: { hook_deliveries_total: ({ hook, outcome }) => ({ hook, outcome }) } },
  ),
  hook_refused: warn(
    "A request to a hook was refused",
    { hook: "text", reason: "text", ...from, "cause?": "any" },
    {
      counts: {
        hook_deliveries_total: ({ hook }) => ({ hook, outcome: "refused" }),
        hook_refusals_total: ({ reason }) => ({ reason }),
      },
    },
  ),
  session_started: info("A person signed in to the console", { by: "text", roles: "list" }),
  sessions_ended: info("A person or the identity provider ended sessions", { by: "text", sessions: "number" }),
  sign_in_refused: info("A sign-in or sign-out was refused", { by: "text", because: "text", ...from }),
  sign_in_failed: error("A sign-in or sign-out failed: the identity provider or the zone is down", { cause: "any" }),
  callers_not_checked: warn("The platform authenticates callers, the zone does not", { because: "text" }),
};

const task = { ...ended, state: "text", agent: "text" } as const;

const byAgent = {
  requests: {
    task: ({ agent, kind: outcome = "success" }: { agent: string; kind?: string }) => ({ agent, outcome }),
  },
};

const tasks = {
  task_started: info(
    "A task started; `attempt` above 1 runs it again",
    { attempt: "number" },
    { counts: { tasks_retried_total: ({ attempt }) => (attempt > 1 ? {} : undefined) } },
  ),
  task_paused: info("A task waits for people"),
  task_ended: info("A task ended", task, byAgent),
  task_failed: error("A task failed", { ...task, operation: "text", code: "number", "cause?": "any" }, byAgent),
  task_lost: error("A task cannot be continued", { "cause?": "any" }),
  task_released: info("The process stops and releases a task"),
  task_lease_lost: warn("Another process took the task over", {}, { counts: { task_leases_lost_total: () => ({}) } }),
  task_store_failed: warn("An operation on stored tasks failed; it is retried", failedCall, {
    counts: { task_store_failures_total: same },
  }),
  task_call_failed: warn("A task's agent call could not be stored, found or canceled; it is retried", failedCall, {
    counts: { task_call_failures_total: same },
  }),
  task_progress_failed: warn("A task's progress could not be read", { "cause?": "any" }),
  task_run_unreachable: warn(
    "A task's workflow run could not be started, read or canceled; it is retried",
    failedCall,
    { counts: { task_run_failures_total: same } },
  ),
};

/** What starts work by itself. */
const schedules = {
  schedule_fired: info(
    "A schedule started",
    { schedule: "text", fire_id: "text", state: "text" },
    { counts: { schedule_fires_total: () => ({ outcome: "started" }) } },
  ),
  schedule_skipped: info(
    "A schedule was due and did not start",
    { schedule: "text", fire_id: "text", because: "text" },
    { counts: { schedule_fires_total: () => ({ outcome: "skipped" }) } },
  ),
  schedule_paused: warn("A schedule paused", { schedule: "text", because: "text" }),
  schedule_timer_failed: error("Due schedules could not be started; it is retried", { cause: "any" }),
};

const people = {
  input_requested: info("A task or run asks people", { kind: "text" }),
  input_decided: info("People decided an input request; `state` says how", { state: "text", via: "text" }),
  input_answer_rejected: warn("An answer to an input request did not count", { outcome: "text" }),
  input_reminded: info("The deciders of an input request are reminded", { reminders: "number" }),
  input_expired: info("An input request expired, or its approval was not used in time", { "because?": "text" }),
  input_withdrawn: info("An input request was withdrawn", { "because?": "text" }),
  input_used: info("An approved action runs"),
  input_use_rejected: warn("An action does not run, because its approval does not cover it", { verdict: "text" }),
};

const models = {
  model_connected: info("The assistant uses this model", { model: "text" }),
  model_not_connected: info("No model is set; `how` says how to connect one", { how: "text" }),
  model_used: info("A turn of the assistant ended: tokens and cost of its model calls", {
    model: "text",
    input_tokens: "number",
    output_tokens: "number",
    cached_input_tokens: "number",
    cost: "any",
    "estimated?": "flag",
    "reported?": "any",
  }),
  model_call_ended: debug(
    "A model call ended: tokens and cost. Calls of a crashed process are in the table `model_call`, but not counted",
    {
      model: "text",
      input: "number",
      output: "number",
      cached: "number",
      tokens: "number",
      estimated: "flag",
      cost: "any",
    },
    {
      counts: { model_calls_total: ({ model, estimated }) => ({ model, counted: estimated ? "no" : "yes" }) },
      adds: {
        model_tokens_total: ({ model, input, cached, output }) => [
          [{ model, kind: "input" }, input],
          [{ model, kind: "cached_input" }, cached],
          [{ model, kind: "output" }, output],
        ],
        model_cost_dollars_total: ({ model, cost }) => (typeof cost === "number" ? [[{ model }, cost]] : []),
      },
    },
  ),
  model_call_refused: info(
    "A budget has no room for a model call",
    { scope: "text" },
    { counts: { model_calls_refused_total: same } },
  ),
  model_use_not_recorded: error("What a call of a model or a tool used could not be recorded", { cause: "any" }),
  model_call_retried: warn("A model call failed; it is retried", { because: "text" }),
  model_tool_refused: warn(
    "A model refuses the schema of a tool; its calls have no such tool until the schema changes",
    {
      model: "text",
      tool: "text",
    },
  ),
  model_tool_failed: error("An agent that a model called failed", { cause: "any" }),
  summary_failed: warn("A long thread could not be summarized", { cause: "any" }),
  mcp_server_failed: warn("An MCP server does not respond", { server: "text", because: "text" }),
  mcp_tools_offered: info("Tools of an MCP server are offered to the assistant", { server: "text", tools: "list" }),
  mcp_tools_withheld: warn("Tools of an MCP server changed and need an approval", {
    server: "text",
    tools: "list",
    how: "text",
  }),
  mcp_tools_left_out: warn("Tools of an MCP server can't be offered", { server: "text", tools: "list" }),
  mcp_tools_approved: info("Tools of an MCP server were approved", { server: "text", tools: "list", by: "text" }),
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
const workflows = {
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
const bus = {
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

/** The log events of the execution zone, by subject. */
export const executionSubjects = {
  Requests: requests,
  Tasks: tasks,
  Schedules: schedules,
  People: people,
  Models: models,
  Agents: agents,
  Workflows: workflows,
  Bus: bus,
};
