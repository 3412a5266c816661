import type { InputVoter } from "@crosszone/contracts";
import { LinkError } from "@crosszone/jsonrpc";
import { emitWith } from "@crosszone/service-kit";
import { retry } from "@crosszone/service-kit/timing";
import { ZoneError } from "@crosszone/contracts";
import type { DecisionRecord } from "../../inbox/records.ts";
import { SlackCallError } from "../../slack/slack-call-error.ts";
import type { Answering, Flow } from "../questions/attempt.ts";
import { listSession, zoneRetry } from "../tasks/zone-calls.ts";
import { failedReply, pressReply } from "./press-reply.ts";
import type { PressReply } from "./pressers.ts";
import { needsGroups, readGroups, voterIn } from "./read-groups.ts";

/** How long a stored answer is retried before its person reads that it failed, milliseconds. */
const longestRetryMs = 60_000;

/**
 * Makes the flow that works on a stored answer: it reads who is in the groups that decide, passes the answer on, and tells its person, and
 * nobody else, what became of it. Passing it on again changes nothing.
 */
export function createDecisionFlow(answering: Answering): Flow<"decision"> {
  const { workspace, running, pressers, emit: report } = answering;
  return async ({ record }, lease) => {
    const signal = AbortSignal.any([lease, running.leaving]);
    signal.throwIfAborted();
    const { correlation_id, request_id, traceparent, user_id, channel } = record;
    const emit = emitWith(report, { correlation_id, request_id, traceparent, user_id, channel });
    const reply = await decide(answering, record, { signal, emit }).catch((error: unknown): PressReply => {
      signal.throwIfAborted();
      if (!(error instanceof ZoneError) && !(error instanceof LinkError)) throw error;
      emit("input_pressed", { input_id: record.input_id, outcome: "failed", failure: error });
      return failedReply(error, record);
    });
    await pressers.answer(workspace.slack, record, reply).catch((failure: unknown) => {
      if (!(failure instanceof SlackCallError)) throw failure;
      emit("notice_lost", { operation: "chat.postEphemeral", failure });
    });
  };
}

/** Passes an answer on. Rejects with the `ZoneError` or `LinkError` that it ended with. */
async function decide(
  { workspace, zone, clock, limits }: Answering,
  record: DecisionRecord,
  { signal, emit }: { readonly signal: AbortSignal; readonly emit: Answering["emit"] },
): Promise<PressReply> {
  const { input_id, user_id, user_team, team_id, answer, digest, correlation_id: correlationId } = record;
  const { slack } = workspace;
  const call = { signal, session: listSession, correlationId, timeoutMs: limits.EXECUTION_TIMEOUT_MS };
  const retries = zoneRetry(Math.min(longestRetryMs, limits.EXECUTION_RETRY_BUDGET_MS), { clock, signal });
  const request = await retry(() => zone.call("get_input_request", { request_id: input_id }, call), retries);
  const person = { user_id, team_id: user_team };
  const earlier = new Map<string, Pick<InputVoter, "user_id" | "team_id">>();
  for (const vote of request.votes) if (vote.user_id !== user_id) earlier.set(vote.user_id, vote);
  const isOpen = request.state === "open";
  const groups = isOpen && needsGroups(request, [person, ...earlier.values()]) ? request.decide.groups : [];
  const members = await readGroups(groups, {
    slack,
    team_id,
    onFailure: (failure) => emit("input_group_unread", { operation: "usergroups.users.list", failure }),
  });
  const voters = [...earlier.values()].map((voter) => voterIn(members, voter));
  const params = { request_id: input_id, answer, by: voterIn(members, person), voters, digest };
  const result = await retry(() => zone.call("answer_input", params, call), retries);
  emit("input_pressed", { input_id, outcome: result.outcome });
  return pressReply(result, { record, isGroupUnread: members.size < groups.length });
}
