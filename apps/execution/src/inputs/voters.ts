import { bootstrap } from "@crosszone/admin-api";
import type { InputRequest, InputSurface, InputVoter } from "@crosszone/contracts";

/** What decides who may vote on a request. */
export interface VoteRule
  extends
    Pick<InputRequest, "kind" | "decide">,
    Partial<Pick<InputRequest, "requester" | "origin" | "team_id" | "asked_in" | "escalate" | "reminders">> {
  /** Slack ids of people who never count. */
  readonly not?: readonly string[] | undefined;
}

/** Whether an id is the actor of a program. Callers can send any text as the id of a person. */
export const isProgram = (id: string): boolean => /^(token|subject):/.test(id) || id === bootstrap;

/**
 * Whether a person can decide. The requester can only where the request says so, whatever lists, groups and teams the person is in.
 * People of another team can only by name. A program can only by name, and never over Slack; it can also answer what its own task or run asks
 * its requester, unless that is an approval.
 */
export function mayVote(rule: VoteRule, { user_id, team_id, groups }: InputVoter, via: InputSurface): boolean {
  const { kind, decide, requester, origin, not, reminders = 0, escalate = [] } = rule;
  if (isProgram(user_id) !== (via !== "slack")) return false;
  const isRequester = user_id === requester;
  if (not?.includes(user_id) === true || (isRequester && !decide.requester)) return false;
  if (decide.people.includes(user_id) || (reminders > 0 && escalate.includes(user_id))) return true;
  // Over the zone link, a caller can claim the name of any token.
  if (via !== "slack") return isRequester && (via !== "api" || origin === "api") && kind !== "approve";
  const team = rule.team_id ?? rule.asked_in;
  if (team_id !== undefined && team !== undefined && team_id !== team) return false;
  return isRequester || groups.some((group) => decide.groups.includes(group));
}

/** Returns the people and programs that a rule names and that may vote. The members of a group are unknown. */
export function knownVoters(rule: VoteRule): readonly string[] {
  const { decide, requester, origin } = rule;
  const named = new Set([...decide.people, ...(requester === undefined ? [] : [requester])]);
  const surface = origin === "api" ? "api" : "mcp";
  return [...named].filter((id) => mayVote(rule, { user_id: id, groups: [] }, isProgram(id) ? surface : "slack"));
}

/** One person's value decides, and so does a refusal to give one. */
const votesNeeded = ({ kind, decide }: VoteRule): number =>
  kind === "approve" ? Math.max(decide.approve, decide.deny) : 1;

/** Returns why too few can vote, as the rest of a sentence; undefined when enough can. */
export function votersProblem(rule: VoteRule): string | undefined {
  const { decide, requester, kind } = rule;
  if (decide.groups.length > 0) return undefined;
  const [able, needed] = [knownVoters(rule).length, votesNeeded(rule)];
  if (able >= needed) return undefined;
  if (able > 0) return `needs ${needed} votes, but only ${able} can vote: name more people or a group`;
  if (decide.requester && kind === "approve" && requester !== undefined && isProgram(requester))
    return `lets only its requester decide, and a program can't approve its own call: name people or a group`;
  return "names no eligible approver: add people, groups or requester";
}

/** Whether a request needs votes of people, who vote in Slack. */
export const needsSlack = (rule: VoteRule): boolean => knownVoters(rule).filter(isProgram).length < votesNeeded(rule);
