import { asFailure } from "./as-failure.ts";
import { callHeaders } from "./call-headers.ts";
import type { OpenCall } from "./open-call.ts";
import { readReply, writeBody } from "./translate.ts";

/** Telling an agent to stop may take so long, milliseconds. */
const timeoutMs = 5_000;

/** TaskNotCancelableError: https://a2a-protocol.org/v0.3.0/specification/#82-a2a-specific-errors */
const isOverAlready = -32_002;

/**
 * Tells the agent that nobody waits for the task any more, when it has taken it and its protocol can say so. Once, for what it is worth;
 * never throws. An agent that says that the task is over already is content.
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
