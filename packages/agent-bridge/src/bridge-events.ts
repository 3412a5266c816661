/** Every event that the bridge logs. */
export const bridgeEvents = [
  "protocol_request_translation",
  "protocol_response_translation",
  "protocol_response_odd",
  "protocol_translation_error",
  "agent_call_retried",
  "agent_call_ended",
  "agent_call_failed",
  "agent_call_aborted",
  "agent_cancel_failed",
  "agent_circuit_changed",
  "agent_canary_ended",
  "agent_task_stored",
  "agent_task_taken",
  "agent_task_refused",
  "agent_result_refused",
  "agent_task_ended",
  "agent_task_let_go",
  "agent_store_failed",
] as const;

/** The name of a log event of the bridge. */
export type BridgeEvent = (typeof bridgeEvents)[number];
