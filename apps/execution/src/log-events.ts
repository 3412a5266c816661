import { bridgeEvents } from "@crosszone/agent-bridge";
import { gracefulStopEvents, retentionEvents } from "@crosszone/service-kit";
import { tracingEvents } from "@crosszone/service-kit/tracing";

/** Every event that the execution zone logs. */
export const executionEvents = [
  ...gracefulStopEvents,
  ...retentionEvents,
  ...tracingEvents,
  ...bridgeEvents,
  "agent_changed",
  "agent_not_usable",
  "agents_file_applied",
  "bus_message_dead",
  "bus_message_failed",
  "bus_unreachable",
  "config_warning",
  "database_connection_lost",
  "database_waited_for",
  "file_not_usable",
  "listening",
  "http_refused",
  "http_failed",
  "registry_failed",
  "registry_refused",
  "rpc_answered",
  "rpc_failed",
  "task_started",
  "task_ended",
  "task_failed",
  "task_lost",
  "task_let_go",
  "task_handed_back",
  "task_exchange_failed",
  "task_store_failed",
  "agent_thread_ended",
  "callers_not_checked",
] as const;

export type ExecutionEvent = (typeof executionEvents)[number];
