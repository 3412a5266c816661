import type { EventDefinitions } from "./definitions.ts";

const requests = {
  rpc_failed: {
    level: "warn",
    levelOf: ({ kind }: { kind: string }) => (kind === "internal" ? "error" : "warn"),
    means: "A JSON-RPC request failed; `error` for an internal error",
  },
  api_refused: { level: "warn", means: "A request to the admin API was refused" },
  api_failed: { level: "error", means: "A request to the admin API failed" },
  callers_not_checked: { level: "warn", means: "The platform authenticates callers, the zone does not" },
} as const satisfies EventDefinitions;

const tasks = {
  task_ended: { level: "info", means: "A task ended" },
  task_lost: { level: "error", means: "A task cannot be continued" },
  task_released: { level: "info", means: "The process stops and releases a task" },
  task_lease_lost: { level: "warn", means: "Another process took the task over" },
  task_store_failed: { level: "warn", means: "An operation on stored tasks failed; it is retried" },
  task_call_failed: {
    level: "warn",
    means: "A task's agent call could not be stored, found or canceled; it is retried",
  },
  task_progress_failed: { level: "warn", means: "A task's progress could not be read" },
  task_run_unreachable: {
    level: "warn",
    means: "A task's workflow run could not be started, read or canceled; it is retried",
  },
} as const satisfies EventDefinitions;

const models = {
  model_connected: { level: "info", means: "The assistant uses this model" },
  model_not_connected: { level: "info", means: "No model is set; `how` says how to connect one" },
  model_used: { level: "info", means: "A turn of the assistant ended: tokens and cost of its model calls" },
  model_call_ended: { level: "debug", means: "A model call ended: tokens and cost" },
  model_call_refused: { level: "info", means: "A budget has no room for a model call" },
  model_use_not_recorded: { level: "error", means: "Tokens of a model call could not be recorded" },
  model_call_retried: { level: "warn", means: "A model call failed; it is retried" },
  model_tool_failed: { level: "error", means: "An agent that a model called failed" },
  summary_failed: { level: "warn", means: "A long thread could not be summarized" },
  assistant_file_applied: { level: "info", means: "The assistant's settings were read" },
  assistant_file_not_usable: { level: "error", means: "The assistant's settings are invalid; the previous ones stay" },
  mcp_server_failed: { level: "warn", means: "An MCP server does not respond" },
  mcp_tools_offered: { level: "info", means: "Tools of an MCP server are offered to the assistant" },
  mcp_tools_withheld: { level: "warn", means: "Tools of an MCP server changed and need an approval" },
  mcp_tools_approved: { level: "info", means: "Tools of an MCP server were approved" },
} as const satisfies EventDefinitions;

const agents = {
  agent_changed: { level: "info", means: "An agent was registered, changed or deleted" },
  agent_hidden: { level: "warn", means: "An agent is hidden, because another one has its name" },
  agent_not_compliant: { level: "warn", means: "A moved agent breaks rules of its protocol" },
  agent_not_usable: { level: "error", means: "A registered agent has invalid settings" },
  agents_file_applied: { level: "info", means: "The agents file was read" },
  agents_file_not_usable: { level: "error", means: "The agents file is invalid; registered agents stay" },
  bridge_call_stored: { level: "info", means: "An agent call was stored" },
  bridge_call_leased: { level: "info", means: "A process leased an agent call" },
  bridge_call_ended: { level: "info", means: "An agent call has a stored result" },
  bridge_call_refused: { level: "error", means: "An agent call was invalid and got a failure as result" },
  bridge_call_lease_lost: { level: "warn", means: "Another process took the agent call over" },
  agent_result_refused: { level: "error", means: "A result was too large or invalid to be stored" },
  agent_store_failed: { level: "warn", means: "An operation on stored agent calls failed; it is retried" },
  agent_call_retried: { level: "warn", means: "A request to an agent failed; it is retried" },
  agent_call_ended: { level: "info", means: "The agent answered" },
  agent_call_failed: { level: "error", means: "The agent failed" },
  agent_call_aborted: { level: "info", means: "A call was canceled or passed its deadline" },
  agent_cancel_failed: { level: "warn", means: "An agent did not accept the cancel" },
  agent_circuit_changed: {
    level: "info",
    means: "An agent's circuit changed; `warn` when it opened",
    levelOf: ({ to }: { readonly to?: string }) => (to === "open" ? "warn" : "info"),
  },
  protocol_request_translation: { level: "debug", means: "A request as it was sent to the agent" },
  protocol_response_translation: { level: "debug", means: "A response as it came from the agent" },
  protocol_response_odd: { level: "warn", means: "A response breaks a rule of the protocol, and is usable" },
  protocol_translation_error: { level: "error", means: "A response is not usable" },
} as const satisfies EventDefinitions;

const workflows = {
  workflows_applied: { level: "info", means: "The workflow files were read" },
  run_started: { level: "info", means: "A run started" },
  run_ended: {
    level: "info",
    levelOf: ({ state }: { readonly state: string }) => (/succeeded|canceled/.test(state) ? "info" : "warn"),
    means: "A run ended; `warn` unless it succeeded",
  },
  run_reopened: { level: "info", means: "A failed run was retried" },
  run_broken: { level: "error", means: "An internal error ended a run" },
  run_unreadable: { level: "error", means: "No key decrypts a run" },
  run_result_unreadable: { level: "error", means: "No key decrypts the result of a step" },
  run_results_failed: { level: "warn", means: "Results of steps could not be read; it is retried" },
  run_timer_failed: { level: "warn", means: "Due runs could not be found; it is retried" },
  runs_overdue: { level: "error", means: "Runs wait for their deadline longer than they should" },
  step_started: { level: "debug", means: "A step started" },
  step_ended: { level: "debug", means: "A step ended" },
} as const satisfies EventDefinitions;

const bus = {
  bus_message_handled: { level: "debug", means: "A message from Kafka is handled" },
  bus_message_dead: { level: "error", means: "A message from Kafka is a dead letter" },
  bus_message_failed: { level: "warn", means: "A message from Kafka could not be handled; it is retried" },
  bus_message_refused: { level: "error", means: "A message from Kafka is not usable" },
  bus_store_failed: { level: "warn", means: "An operation on stored messages failed; it is retried" },
  bus_unreachable: { level: "warn", means: "Kafka does not respond" },
  database_notifications_missing: {
    level: "warn",
    means: "PostgreSQL's notifications do not arrive; jobs are found by polling",
  },
} as const satisfies EventDefinitions;

/** The log events of the execution zone, by subject. */
export const executionSubjects = {
  Requests: requests,
  Tasks: tasks,
  Models: models,
  Agents: agents,
  Workflows: workflows,
  Bus: bus,
};
