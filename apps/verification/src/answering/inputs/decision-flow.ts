import { type InputVoter, ZoneError } from "@crosszone/contracts";
import { LinkError } from "@crosszone/jsonrpc";
import { emitWith } from "@crosszone/service-kit";
import { retry } from "@crosszone/service-kit/timing";
import type { DecisionRecord } from "../../inbox/records.ts";
import { SlackCallError } from "../../slack/slack-call-error.ts";
import type { Answering, Flow } from "../questions/attempt.ts";
import { listSession, zoneRetry } from "../tasks/zone-calls.ts";
import { failedReply, pressReply } from "./press-reply.ts";
import type { PressReply } from "../posting/pressers.ts";
import { slackRetryAfter } from "../posting/send-once.ts";
import { namedDeciders } from "./people-text.ts";
import { readGroups } from "./read-groups.ts";

/** How long a stored answer is retried before its person reads that it failed, milliseconds. */
const longestRetryMs = 60_000;

/** A person may read the same sentence twice, but must read it. */
const tellRetry = { firstMs: 500, longestMs: 5_000, budgetMs: 30_000, retryAfter: slackRetryAfter };

/**
 * Makes the flow that works on a stored answer: it reads who is in the groups that decide, passes the answer on, and tells its person, and
 * nobody else, what became of it. Passing it on again changes nothing.
 */
export function createDecisionFlow(answering: Answering): Flow<"decision"> {
  const { workspace, running, pressers, clock, emit: report } = answering;
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
    const tell = (): Promise<void> => pressers.answer(workspace.slack, record, reply);
    await retry(tell, { ...tellRetry, clock, signal }).catch((failure: unknown) => {
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
  const call = { signal, session: listSession, correlationId, timeoutMs: limits.EXECUTION_TIMEOUT_MS };
  const retries = zoneRetry(Math.min(longestRetryMs, limits.EXECUTION_RETRY_BUDGET_MS), { clock, signal });
  const request = await retry(() => zone.call("get_input_request", { request_id: input_id }, call), retries);
  const named = new Set(namedDeciders(request));
  const earlier = request.votes.filter((vote) => vote.user_id !== user_id);
  const people = [{ user_id, team_id: user_team }, ...earlier];
  const isByGroup = request.state === "open" && people.some((person) => !named.has(person.user_id));
  const groups = isByGroup ? request.decide.groups : [];
  const onFailure = (failure: unknown): void =>
    emit("input_group_unread", { operation: "usergroups.users.list", failure });
  const members = await readGroups(groups, { slack: workspace.slack, team_id, onFailure });
  const [by, ...voters] = people.map((person): InputVoter => {
    const inGroups = [...members].flatMap(([group, users]) => (users.has(person.user_id) ? [group] : []));
    return { user_id: person.user_id, team_id: person.team_id, groups: inGroups };
  }) as [InputVoter, ...InputVoter[]];
  const params = { request_id: input_id, answer, by, voters, digest };
  const result = await retry(() => zone.call("answer_input", params, call), retries);
  emit("input_pressed", { input_id, outcome: result.outcome });
  return pressReply(result, { record, isGroupUnread: members.size < groups.length });
}
