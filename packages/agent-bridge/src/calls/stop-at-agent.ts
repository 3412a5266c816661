import { asFailure } from "./as-failure.ts";
import { callHeaders } from "./call-headers.ts";
import type { OpenCall } from "./open-call.ts";
import { readReply, writeBody } from "./translate.ts";

/** Timeout of telling an agent to stop, milliseconds. */
const timeoutMs = 5_000;

/** TaskNotCancelableError: https://a2a-protocol.org/v0.3.0/specification/#82-a2a-specific-errors */
const isOverAlready = -32_002;

/**
 * Tells the agent to stop the task, if it has accepted it and its protocol supports that. One best-effort attempt;
 * never throws. An agent that says the task is already over counts as success.
 */
export async function stopAtAgent(call: OpenCall): Promise<void> {
  const { adapter, agent, client, remoteId, task } = call;
  if (adapter.toCancel === undefined || remoteId === undefined) return;
  try {
    const body = writeBody(call, "cancel", () => adapter.toCancel?.(task, remoteId));
    const headers = callHeaders(call, "cancel");
    const reply = await client.post({ agent, body, headers, timeoutMs, signal: AbortSignal.timeout(timeoutMs * 2) });
    const reading = readReply(call, { operation: "cancel" }, reply);
    const error = reading.state === "ended" ? reading.result.error : null;
    if (error === null || error.kind.startsWith("task_")) return;
    if (error.kind === "rpc_error" && error.code === isOverAlready) return;
    call.observer.cancelFailed(call.ids, error);
  } catch (error) {
    call.observer.cancelFailed(call.ids, asFailure(error));
  }
}
