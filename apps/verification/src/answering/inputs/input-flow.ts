import { type InputRequest, ZoneError } from "@crosszone/contracts";
import { LinkError } from "@crosszone/jsonrpc";
import { ReleasedError, UnanswerableError } from "../../inbox/endings.ts";
import type { InputRecord } from "../../inbox/records.ts";
import { SlackCallError } from "../../slack/slack-call-error.ts";
import { isRefusedForGood } from "../posting/send-once.ts";
import type { Answering, Flow } from "../questions/attempt.ts";
import { listSession } from "../tasks/zone-calls.ts";
import { isClosed } from "./receipt.ts";
import { showInput } from "./show-input.ts";

/** Pauses before the next look at a request that is open, and after Slack or execution did not answer, milliseconds. */
export const lookAgainMs = 60_000;
const troubleMs = 2_000;

/**
 * Makes the flow that shows an input request until it is closed: a card with buttons, which follows each change and becomes the receipt, and
 * reminders. The request lives in execution; a card that is late or was deleted changes nothing about it.
 */
export function createInputFlow(answering: Answering): Flow<"input"> {
  const { clock, running, emit } = answering;
  return async (leased, lease) => {
    const leave = AbortSignal.any([lease, running.leaving]);
    leave.throwIfAborted();
    const { correlation_id, request } = leased.record;
    try {
      const current = await currentRequest(answering, leased.record, leave);
      await showInput(answering, { leased, request: current, leave });
      if (isClosed(current, clock.now())) return;
    } catch (failure) {
      leave.throwIfAborted();
      if (!isRefusedForGood(failure)) throw waitAfter(failure);
      emit("input_not_shown", { correlation_id, input_id: request.request_id, operation: failure.method, failure });
      throw new UnanswerableError("Slack refuses the card", { cause: failure });
    }
    throw new ReleasedError("the input request is open", lookAgainMs);
  };
}

/** Returns how to wait after a failure of Slack or execution, which doesn't count as an attempt; other errors as they are. */
export function waitAfter(error: unknown): unknown {
  if (error instanceof SlackCallError)
    return new ReleasedError(error.message, Math.max(troubleMs, error.retryAfterMs ?? 0));
  const isZone = error instanceof LinkError || (error instanceof ZoneError && error.retryable);
  return isZone ? new ReleasedError(error.message, troubleMs) : error;
}

/** Returns the request as it is now; as withdrawn if execution does not have it any more. */
async function currentRequest(
  { zone, limits }: Answering,
  { request, correlation_id: correlationId }: InputRecord,
  signal: AbortSignal,
): Promise<InputRequest> {
  const call = { signal, session: listSession, correlationId, timeoutMs: limits.EXECUTION_TIMEOUT_MS };
  const { request_id } = request;
  return zone.call("get_input_request", { request_id }, call).catch((error: unknown): InputRequest => {
    if (!(error instanceof ZoneError) || error.kind !== "input_request_not_found") throw error;
    return { ...request, state: "withdrawn", version: request.version + 1 };
  });
}
