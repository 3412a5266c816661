import { bootstrap } from "@crosszone/admin-api";
import {
  type AnswerInputParams,
  type InputAnswer,
  type InputOutcome,
  type InputRequest,
  type InputState,
  type InputSurface,
  type InputVote,
  type InputVoter,
  ZoneError,
} from "@crosszone/contracts";
import type { Sender } from "@crosszone/service-kit";
import { isoTime } from "@crosszone/service-kit/text";
import { canonicalJson } from "@crosszone/service-kit/json";
import { answerProblems } from "./check-answer.ts";
import { elapsed, type Moment } from "./elapse.ts";
import type { InputRecord } from "./input-record.ts";

/** A person's answer, and where it was given. */
export interface Ballot extends Pick<AnswerInputParams, "answer" | "by" | "voters" | "digest"> {
  readonly via: InputSurface;
  /** Where a token's request came from. */
  readonly from?: Sender | undefined;
}

/** What becomes of an answer, and the request to store; absent when the answer changes nothing. */
export interface Decision {
  readonly outcome: InputOutcome;
  readonly next?: InputRequest | undefined;
}

/**
 * Judges an answer. Earlier votes are judged again: only those of people in `voters` who are eligible now count. Throws
 * `invalid_params` when the answer has the wrong form.
 */
export function decide(record: InputRecord, ballot: Ballot, moment: Moment): Decision {
  const { request } = record;
  if (request.state !== "open") return { outcome: outcomeOfClosed(request, ballot) };
  const over = elapsed(record, moment);
  if (over !== undefined) return { outcome: over.state === "expired" ? "expired" : "withdrawn", next: over };
  const { answer, digest } = ballot;
  if (!isEligible(record, ballot.by, ballot.via)) return { outcome: "not_eligible" };
  const problems = answerProblems(request, answer);
  if (problems.length > 0) throw new ZoneError("invalid_params", { problems });
  if (answer.verdict === "approve" && request.action !== undefined && digest !== request.action.digest)
    return { outcome: "changed" };
  return countVote(record, ballot, moment.now);
}

/** A repeated answer of the person who decided decides again, because the first response may be lost. */
function outcomeOfClosed({ state, votes, answer }: InputRequest, ballot: Ballot): InputOutcome {
  if (state === "expired" || state === "withdrawn") return state;
  const isSame = votes.at(-1)?.user_id === ballot.by.user_id && canonicalJson(answer) === canonicalJson(ballot.answer);
  return isSame ? "decided" : "already_decided";
}

/** A deny takes the place of the person's approve. Otherwise the first vote of a person stands. */
function countVote(record: InputRecord, ballot: Ballot, now: number): Decision {
  const { request } = record;
  const { by, answer, via } = ballot;
  const { verdict } = answer;
  const mine = request.votes.find(({ user_id }) => user_id === by.user_id);
  if (mine !== undefined && mine.verdict !== verdict && verdict !== "deny") return { outcome: "already_voted" };
  const stands = mine?.verdict === verdict;
  const { user_id, team_id } = by;
  const vote = { user_id, team_id, verdict, via, reason: reasonOf(answer), at: isoTime(now) };
  const votes = stands ? request.votes : [...request.votes.filter((one) => one !== mine), vote];
  const counted = votes.filter((one) => one.verdict === verdict && doesCount(record, ballot, one.user_id));
  if (counted.length >= votesNeeded(request, verdict))
    return {
      outcome: "decided",
      next: decided(record, { ...request, votes: marked(votes, counted) }, { answer, now }),
    };
  return stands ? { outcome: "already_voted" } : { outcome: "counted", next: { ...request, votes } };
}

/** Marks the votes for the decision that do not count, such as those of people who have left the group. */
const marked = (votes: readonly InputVote[], counted: readonly InputVote[]): InputVote[] =>
  votes.map((vote) =>
    vote.verdict !== counted[0]?.verdict || counted.includes(vote) ? vote : { ...vote, counts: false },
  );

/** One person's value decides, and so does a refusal to give one. */
const votesNeeded = ({ kind, decide: rule }: InputRequest, verdict: InputAnswer["verdict"]): number =>
  kind === "approve" ? rule[verdict === "deny" ? "deny" : "approve"] : 1;

function doesCount(record: InputRecord, { by, voters = [], via }: Ballot, userId: string): boolean {
  if (userId === by.user_id) return true;
  if (isProgram(userId)) return isEligible(record, { user_id: userId, groups: [] }, "api");
  const voter = voters.find(({ user_id }) => user_id === userId);
  return voter !== undefined && isEligible(record, voter, via);
}

const states = { approve: "approved", deny: "denied", answer: "answered" } as const satisfies Record<
  string,
  InputState
>;

function decided(
  { terms }: InputRecord,
  request: InputRequest,
  { answer, now }: { readonly answer: InputAnswer; readonly now: number },
): InputRequest {
  const runs = answer.verdict === "approve" && request.action !== undefined;
  return {
    ...request,
    state: states[answer.verdict],
    answer,
    remind_at: undefined,
    decided_at: isoTime(now),
    execute_until: runs ? isoTime(now + terms.executeWithinMs) : undefined,
  };
}

const reasonOf = (answer: InputAnswer): string | undefined => (answer.verdict === "answer" ? undefined : answer.reason);

/** Whether an id is the actor of a program. Callers can send any text as the id of a person. */
const isProgram = (id: string): boolean => /^(token|subject):/.test(id) || id === bootstrap;

/**
 * Whether a person can decide. The requester can only where the request says so, whatever lists, groups and teams the person is in.
 * People of another team can only by name. A program can only by name, and never over Slack; it can also answer what its own task asks its
 * requester, unless that is an approval.
 */
export function isEligible(
  { request, terms }: InputRecord,
  { user_id, team_id, groups }: InputVoter,
  via: InputSurface,
): boolean {
  const { decide: rule, requester, reminders = 0, escalate = [] } = request;
  if (isProgram(user_id) !== (via !== "slack")) return false;
  const isRequester = user_id === requester;
  if (terms.not?.includes(user_id) === true || (isRequester && !rule.requester)) return false;
  if (rule.people.includes(user_id) || (reminders > 0 && escalate.includes(user_id))) return true;
  if (via !== "slack") return isRequester && via !== "api" && request.kind !== "approve";
  if (team_id !== undefined && request.team_id !== undefined && team_id !== request.team_id) return false;
  return isRequester || groups.some((group) => rule.groups.includes(group));
}
