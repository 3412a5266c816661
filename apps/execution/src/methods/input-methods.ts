import {
  type AnswerInputParams,
  type AnswerInputResult,
  type ClaimInputRequestParams,
  type InputRequest,
  type ListInputRequestsParams,
  type ListInputRequestsResult,
  ZoneError,
} from "@crosszone/contracts";
import type { RequestContext } from "./request-context.ts";
import type { ZoneParts } from "./zone-parts.ts";

type Parts = Pick<ZoneParts, "inputRequests">;

/** `get_input_request`: returns a request that the caller shows or can claim. Throws `input_request_not_found` for any other. */
export async function getInputRequest(
  { inputRequests }: Parts,
  requestId: string,
  caller: string,
): Promise<InputRequest> {
  const found = await inputRequests.find(requestId);
  if (found === undefined || (found.shownBy ?? caller) !== caller) throw new ZoneError("input_request_not_found");
  return found.request;
}

/** `claim_input_request`: lets the caller ask the deciders. Throws `input_request_not_found` when another caller does. */
export async function claimInputRequest(
  { inputRequests }: Parts,
  { request_id, team_id, names }: ClaimInputRequestParams,
  caller: string,
): Promise<InputRequest> {
  const claimed = await inputRequests.claim(request_id, { by: caller, team_id }, names);
  if (claimed === undefined) throw new ZoneError("input_request_not_found");
  return claimed;
}

/** `answer_input`: judges a person's answer, which verification vouches for. */
export async function answerInput(
  parts: Parts,
  { request_id, answer, by, voters, digest }: AnswerInputParams,
  caller: string,
): Promise<AnswerInputResult> {
  const { inputRequests } = parts;
  // Only who shows a request vouches for its people.
  if ((await inputRequests.find(request_id))?.shownBy !== caller) {
    await inputRequests.rejectUnknown(request_id, { by, via: "slack" }, caller);
    throw new ZoneError("input_request_not_found");
  }
  const result = await inputRequests.answer(request_id, { answer, by, voters, digest, via: "slack" });
  if (result === undefined) throw new ZoneError("input_request_not_found");
  return result;
}

/** `list_input_requests`: returns the requests that the caller shows or can claim, in the order of their last change. Waits for one. */
export async function listInputRequests(
  { inputRequests, limits: { maxWaitMs } }: Pick<ZoneParts, "inputRequests" | "limits">,
  { task_id: taskId, after_seq: afterSeq = 0, state, limit = 100, wait_ms: waitMs = 0 }: ListInputRequestsParams,
  { caller, signal }: RequestContext,
): Promise<ListInputRequestsResult> {
  if (taskId === undefined && waitMs > 0) await inputRequests.follow(caller);
  const how = { limit, waitMs: Math.min(waitMs, maxWaitMs), signal };
  const found = await inputRequests.list({ shownBy: caller, taskId, afterSeq, state }, how);
  return { input_requests: [...found], last_seq: found.at(-1)?.seq ?? afterSeq };
}
