import {
  type InputAnswer,
  type InputOutcome,
  type InputRequest,
  type InputSchema,
  type InputState,
  type InputSurface,
  type InputVote,
  type InputVoter,
  type ParamProblem,
  ZoneError,
} from "@crosszone/contracts";
import type { Sender } from "@crosszone/service-kit";
import { canonicalJson } from "@crosszone/service-kit/json";
import { isoTime } from "@crosszone/service-kit/text";
import { z } from "zod";
import { elapsed, type InputRecord, isProgram, mayVote, type Moment, type VoteRule } from "./input-record.ts";

/** Returns why an answer does not fit a request, with JSON pointers into the params; empty when it fits. */
function answerProblems(request: InputRequest, answer: InputAnswer): ParamProblem[] {
  const { kind, options = [], schema } = request;
  if (answer.verdict === "deny") return [];
  if ((answer.verdict === "approve") !== (kind === "approve"))
    return [{ pointer: "/answer/verdict", message: `must be ${kind === "approve" ? "approve" : "answer"} or deny` }];
  if (answer.verdict === "approve") return [];
  if (kind === "form") return schema === undefined ? [] : formProblems(schema, answer.values);
  const { value } = answer;
  if (value === undefined) return [{ pointer: "/answer/value", message: "is missing" }];
  if (kind === "text" || options.some((option) => option.value === value)) return [];
  const known = options.map((option) => option.value).join(", ");
  return [{ pointer: "/answer/value", message: `must be one of ${known}` }];
}

function formProblems(schema: InputSchema, values: unknown): ParamProblem[] {
  const read = formCheck(schema).safeParse(values);
  if (read.success) return [];
  return read.error.issues.flatMap((issue) => {
    const names = issue.code === "unrecognized_keys" ? issue.keys : issue.path;
    const pointers = names.map((name) => `/answer/values/${String(name)}`);
    return (pointers.length === 0 ? ["/answer/values"] : pointers).map((pointer) => ({
      pointer,
      message: issue.code === "unrecognized_keys" ? "is not a field of the form" : issue.message,
    }));
  });
}

/** Returns the check of a form's values. Throws for a schema that JSON Schema does not allow. */
export const formCheck = (schema: InputSchema): z.ZodType =>
  z.fromJSONSchema({ ...schema, additionalProperties: false } as Parameters<typeof z.fromJSONSchema>[0]);

/** A person's answer, and where it was given. */
export interface Ballot {
  readonly answer: InputAnswer;
  readonly by: InputVoter;
  /** The earlier voters as they are now. */
  readonly voters?: readonly InputVoter[] | undefined;
  /** Of the action that the person saw. */
  readonly digest?: string | undefined;
  readonly via: InputSurface;
  /** Where the request came from, outside Slack. */
  readonly from?: Sender | undefined;
  /** The actor whose session answers, in the console. */
  readonly signedIn?: string | undefined;
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
export function judgeBallot(record: InputRecord, ballot: Ballot, moment: Moment): Decision {
  const { request } = record;
  if (request.state !== "open") return { outcome: outcomeOfClosed(request, ballot) };
  const over = elapsed(record, moment);
  if (over !== undefined) return { outcome: over.state === "expired" ? "expired" : "withdrawn", next: over };
  const { answer, digest } = ballot;
  if (!mayVote(ruleOf(record), ballot.by, ballot.via)) return { outcome: "not_eligible" };
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
  const reason = answer.verdict === "answer" ? undefined : answer.reason;
  const vote = { user_id, team_id, verdict, via, reason, at: isoTime(now) };
  const votes = stands ? request.votes : [...request.votes.filter((one) => one !== mine), vote];
  const counted = votes.filter((one) => one.verdict === verdict && doesCount(record, ballot, one));
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

const ruleOf = ({ request, terms }: InputRecord): VoteRule => ({ ...request, not: terms.not });

/** An answer outside Slack comes without the groups of earlier voters, so the people among them count by name only. */
function doesCount(record: InputRecord, { by, voters = [], via }: Ballot, { user_id, team_id }: InputVote): boolean {
  const one = { user_id, team_id, groups: [] };
  if (user_id === by.user_id) return true;
  if (isProgram(user_id)) return mayVote(ruleOf(record), one, "api");
  const voter = voters.find((other) => other.user_id === user_id) ?? (via === "slack" ? undefined : one);
  return voter !== undefined && mayVote(ruleOf(record), voter, "slack");
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
