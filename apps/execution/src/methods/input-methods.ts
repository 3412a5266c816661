import {
  type AnswerInputParams,
  type AnswerInputResult,
  type InputRequest,
  type ListInputRequestsParams,
  type ListInputRequestsResult,
  ZoneError,
} from "@crosszone/contracts";
import type { RequestContext } from "./request-context.ts";
import type { ZoneParts } from "./zone-parts.ts";

type Parts = Pick<ZoneParts, "inputRequests">;

/** `get_input_request`: returns a request of the caller's tasks. Throws `input_request_not_found` for any other. */
export async function getInputRequest(
  { inputRequests }: Parts,
  requestId: string,
  caller: string,
): Promise<InputRequest> {
  const found = await inputRequests.find(requestId);
  if (found?.caller !== caller) throw new ZoneError("input_request_not_found");
  return found.request;
}

/** `answer_input`: judges a person's answer, which verification vouches for. */
export async function answerInput(
  parts: Parts,
  { request_id, answer, by, voters, digest }: AnswerInputParams,
  caller: string,
): Promise<AnswerInputResult> {
  const { inputRequests } = parts;
  await getInputRequest(parts, request_id, caller).catch(async (error: unknown) => {
    // Not in an outage.
    if (error instanceof ZoneError) await inputRequests.rejectUnknown(request_id, { by, via: "slack" }, caller);
    throw error;
  });
  const result = await inputRequests.answer(request_id, { answer, by, voters, digest, via: "slack" });
  if (result === undefined) throw new ZoneError("input_request_not_found");
  return result;
}

/** `list_input_requests`: returns the requests of the caller's tasks in the order of their last change. Waits for one. */
export async function listInputRequests(
  { inputRequests, limits: { maxWaitMs } }: Pick<ZoneParts, "inputRequests" | "limits">,
  { task_id: taskId, after_seq: afterSeq = 0, state, limit = 100, wait_ms: waitMs = 0 }: ListInputRequestsParams,
  { caller, signal }: RequestContext,
): Promise<ListInputRequestsResult> {
  const how = { limit, waitMs: Math.min(waitMs, maxWaitMs), signal };
  const found = await inputRequests.list({ caller, taskId, afterSeq, state }, how);
  return { input_requests: [...found], last_seq: found.at(-1)?.seq ?? afterSeq };
}
