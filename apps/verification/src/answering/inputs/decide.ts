import type { InputVoter } from "@crosszone/contracts";
import { retry } from "@crosszone/service-kit/timing";
import type { InputPress } from "../../inbox/records.ts";
import type { Acted, PressWork } from "../presses/pressers.ts";
import type { Answering } from "../questions/attempt.ts";
import { listSession, zoneRetry } from "../tasks/zone-calls.ts";
import { namedDeciders } from "./people-text.ts";
import { pressReply } from "./press-reply.ts";
import { readGroups } from "./read-groups.ts";

/** How long a stored answer is retried before its person reads that it failed, milliseconds. */
const longestRetryMs = 60_000;

/**
 * Passes an answer to an input request on, with the groups that its person is in now. Passing it on again changes nothing. Rejects with the
 * `ZoneError` or `LinkError` that it ended with.
 */
export async function decide(
  { workspace, zone, clock, limits }: Answering,
  { leased: { record }, signal, emit }: PressWork,
  press: InputPress,
): Promise<Acted> {
  const { user_id, user_team, team_id, correlation_id: correlationId } = record;
  const { id, answer, digest } = press;
  const call = { signal, session: listSession, correlationId, timeoutMs: limits.EXECUTION_TIMEOUT_MS };
  const retries = zoneRetry(Math.min(longestRetryMs, limits.EXECUTION_RETRY_BUDGET_MS), { clock, signal });
  const request = await retry(() => zone.call("get_input_request", { request_id: id }, call), retries);
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
  const params = { request_id: id, answer, by, voters, digest };
  const result = await retry(() => zone.call("answer_input", params, call), retries);
  const isGroupUnread = members.size < groups.length;
  return { ...pressReply(result, { answer, user_id, isGroupUnread }), outcome: result.outcome };
}
