import { hash } from "node:crypto";
import { bootstrap } from "@crosszone/admin-api";
import type { InputRequest, InputState, InputSurface, InputVoter } from "@crosszone/contracts";
import { canonicalJson, ownMember } from "@crosszone/service-kit/json";
import { isoTime } from "@crosszone/service-kit/text";
import type { RunWaits } from "@crosszone/workflow";

/** What decides about a request besides what people see. */
interface InputTerms {
  /** How long an approved action can run, milliseconds. */
  readonly executeWithinMs: number;
  /** Time between two reminders, milliseconds; none when absent. */
  readonly remindEveryMs?: number | undefined;
  /** Digest of the rule of the approval policy. */
  readonly policy: string;
  /** Slack ids of people who never count. */
  readonly not?: readonly string[] | undefined;
  /** What names it within its task. */
  readonly key?: string | undefined;
}

export interface InputRecord {
  readonly request: InputRequest;
  readonly terms: InputTerms;
  /** The caller of its task; null for a run that the API started. */
  readonly caller: string | null;
  /** The caller of the zone link that shows it; null while any can claim it. */
  readonly shownBy: string | null;
}

/** A request to store. Its state, votes, times and digest follow. */
export interface NewInput
  extends
    Omit<
      InputRequest,
      | "state"
      | "version"
      | "seq"
      | "votes"
      | "action"
      | "created_at"
      | "expires_at"
      | "execute_until"
      | "remind_at"
      | "reminders"
      | "answer"
      | "decided_at"
      | "decision_event"
      | "closed_because"
      | "withdraw_reason"
      | "asked_in"
      | "names"
    >,
    InputTerms {
  readonly caller: string | null;
  readonly action?: ActionCall | undefined;
  readonly expiresInMs: number;
}

/** A task as it was asked; `ask`: by a program. */
export interface AskedAs {
  readonly caller: string;
  readonly ask?: { readonly surface: string } | undefined;
}

/** Returns how a task began outside Slack; undefined if verification began it, for a person. */
export const askSurfaceOf = ({ ask }: AskedAs, userId: string | undefined): string | undefined =>
  ask?.surface ?? (userId === undefined ? "link" : undefined);

/** A call that an approval allows. `arguments`: any JSON. */
export interface ActionCall {
  readonly agent: string;
  /** The tool, agent or workflow that is called. */
  readonly tool: string;
  readonly arguments: unknown;
}

/** Returns the digest of an action in its request, SHA-256 in hex. */
export function actionDigest(
  { agent, tool, arguments: given }: ActionCall,
  { requester, team_id, run_id, step_id }: NewInput | InputRequest,
  policy: string,
): string {
  return hash("sha256", canonicalJson({ agent, tool, arguments: given, requester, team_id, run_id, step_id, policy }));
}

/** Returns the id of the request that a task makes under a key: always the same one. */
export const inputIdOf = (taskId: string, key: string): string =>
  `inp_${hash("sha256", JSON.stringify([taskId, key])).slice(0, 32)}`;

/** The origin of a request by which a person allows what others wrote in that person's name. */
export const consentOrigin = "schedule";

/**
 * Whether something can still happen to a request: votes, or the use of its approval. A workflow run and a schedule continue when their request is
 * decided.
 */
export const isLive = ({ state, action, run_id, origin }: InputRequest): boolean =>
  state === "open" ||
  (state === "approved" && action !== undefined && run_id === undefined && origin !== consentOrigin);

/** When a request is judged. */
export interface Moment {
  /** The database's time, Unix milliseconds. */
  readonly now: number;
  /** Whether the task or run that waits has ended or was deleted. */
  readonly ownerEnded: boolean;
}

/** Returns a request that no person closed. */
export const closed = (
  request: InputRequest,
  state: InputState,
  { now, because }: { readonly now: number; readonly because: string },
): InputRequest => ({
  ...request,
  state,
  remind_at: undefined,
  decided_at: request.decided_at ?? isoTime(now),
  closed_because: because,
});

/** Returns why a request closed without a decision, with the reason of the person who withdrew it; undefined for any other. */
export const whyClosed = ({ closed_because: because, withdraw_reason: reason }: InputRequest): string | undefined =>
  because !== undefined && reason !== undefined ? `${because} ${reason}` : because;

/** Returns what an open or approved request has become without anyone's doing; undefined when nothing has changed. */
export function elapsed({ request }: InputRecord, { now, ownerEnded }: Moment): InputRequest | undefined {
  const { state, expires_at, execute_until } = request;
  if (state === "approved") {
    if (ownerEnded) return closed(request, "void", { now, because: "What asked has ended." });
    const isOver = now >= timeOf(execute_until);
    return isOver ? closed(request, "void", { now, because: "The action did not run in time." }) : undefined;
  }
  if (state !== "open") return undefined;
  if (ownerEnded) return closed(request, "withdrawn", { now, because: "What asked has ended." });
  return now >= timeOf(expires_at)
    ? closed(request, "expired", { now, because: "No decision was made in time." })
    : undefined;
}

/** Returns an open request after the reminder that is due; undefined when none is. */
export function reminded({ request, terms }: InputRecord, now: number): InputRequest | undefined {
  const { state, remind_at, expires_at, reminders = 0 } = request;
  if (state !== "open" || now < timeOf(remind_at)) return undefined;
  return { ...request, reminders: reminders + 1, remind_at: nextReminder(terms, { now, before: timeOf(expires_at) }) };
}

/** Whether time alone changes a request now. */
export const isDue = ({ record, moment }: { readonly record: InputRecord; readonly moment: Moment }): boolean =>
  (elapsed(record, moment) ?? reminded(record, moment.now)) !== undefined;

/** Returns the time of the next reminder; undefined without one before the time `before`. */
export function nextReminder(
  { remindEveryMs }: InputTerms,
  { now, before }: { readonly now: number; readonly before: number },
): string | undefined {
  return remindEveryMs === undefined || now + remindEveryMs >= before ? undefined : isoTime(now + remindEveryMs);
}

/** Returns when something happens to a live request next, Unix milliseconds. */
export const nextTime = ({ state, remind_at, expires_at, execute_until }: InputRequest): number =>
  state === "approved" ? timeOf(execute_until) : Math.min(timeOf(remind_at), timeOf(expires_at));

/** Absent: never. */
const timeOf = (time: string | undefined): number => (time === undefined ? Infinity : Date.parse(time));

/** What decides who may vote on a request. */
export interface VoteRule {
  readonly kind: InputRequest["kind"];
  readonly decide: InputRequest["decide"];
  readonly requester?: string | undefined;
  readonly origin?: string | undefined;
  readonly team_id?: string | undefined;
  readonly asked_in?: string | undefined;
  readonly escalate?: string[] | undefined;
  readonly reminders?: number | undefined;
  /** Slack ids of people who never count. */
  readonly not?: readonly string[] | undefined;
}

/** Whether an id is the actor of a program, or of a signed-in person, and not a Slack user. Callers can send any text as the id of a person. */
export const isProgram = (id: string): boolean => /^(token|subject|person):/.test(id) || id === bootstrap;

/** Returns the Slack user that a rule names, alone or with a workspace: `T…/U…`. */
export const userNamed = (name: string): string => name.replace(/^[TE][A-Z0-9]+\//, "");

/**
 * Whether a person can decide. The requester can only where the request says so, whatever lists, groups and teams the person is in.
 * People of another team can only by name: one with a workspace means its user alone; in the console, where claims can have the id of anybody,
 * one without means a user of the request's own. A program can only by name, and never over Slack; it can also answer what its own task or run asks
 * its requester, unless that is an approval. In the console, a person has no groups.
 */
export function mayVote(rule: VoteRule, { user_id, team_id, groups }: InputVoter, via: InputSurface): boolean {
  const { kind, decide, requester, origin, not, reminders = 0, escalate = [] } = rule;
  const isPerson = via === "slack" || via === "console";
  if (isProgram(user_id) === isPerson) return false;
  const isRequester = user_id === requester;
  if (not?.includes(user_id) === true || (isRequester && !decide.requester)) return false;
  const team = rule.team_id ?? rule.asked_in;
  // A person's consent is a press of that person, whom Slack proves, in the person's own team.
  if (origin === consentOrigin) return isRequester && via === "slack" && team_id === rule.team_id;
  const isForeign = isPerson && team_id !== undefined && team !== undefined && team_id !== team;
  const named = new Set([...decide.people, ...(reminders > 0 ? escalate : [])]);
  if (named.has(`${team_id}/${user_id}`) || (named.has(user_id) && !(isForeign && via === "console"))) return true;
  // Over the zone link, a caller can claim the name of any token.
  if (!isPerson) return isRequester && (via !== "api" || origin === "api") && kind !== "approve";
  if (isForeign) return false;
  return isRequester || groups.some((group) => decide.groups.includes(group));
}

/** Returns the people and programs that a rule names and that may vote. The members of a group are unknown. */
export function knownVoters(rule: VoteRule): readonly string[] {
  const { decide, requester, origin } = rule;
  const named = new Set(decide.people);
  if (requester !== undefined) named.add(requester);
  const surface = origin === "api" ? "api" : "mcp";
  return [...named].filter((name) => {
    const team_id = /^[TE][A-Z0-9]+(?=\/)/.exec(name)?.[0] ?? rule.team_id;
    const by = { user_id: userNamed(name), team_id, groups: [] };
    return mayVote(rule, by, isProgram(name) ? surface : "slack");
  });
}

/** One person's value decides, and so does a refusal to give one. */
const votesNeeded = ({ kind, decide }: VoteRule): number =>
  kind === "approve" ? Math.max(decide.approve, decide.deny) : 1;

/** Returns who can decide any of the requests now, and the names that are known. */
export function waitsOfAll(requests: readonly InputRequest[]): RunWaits {
  const ids = requests.flatMap(({ decide, requester, reminders = 0, escalate = [] }) => [
    ...decide.people,
    ...decide.groups,
    ...(decide.requester && requester !== undefined ? [requester] : []),
    ...(reminders > 0 ? escalate : []),
  ]);
  return { waits_for: [...new Set(ids)], names: Object.assign({}, ...requests.map(({ names }) => names)) };
}

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

/**
 * Returns why a request can't be decided any more if the caller that shows it can't reach these people, or the channel of a schedule; undefined if
 * enough others are left by name. The caller knows the members of groups, and has counted them.
 */
export function whyUnreached({ request, terms }: InputRecord, unreachable: readonly string[]): string | undefined {
  const { decide, names = {}, origin, action } = request;
  const channel = origin === consentOrigin ? ownMember(action?.arguments, "channel") : undefined;
  if (typeof channel === "string" && unreachable.includes(channel))
    return `The channel ${channel.slice(0, 64).toWellFormed()} does not exist, or the app can't see it. Invite the app there, or correct the channel.`;
  const not = [...(terms.not ?? []), ...unreachable];
  if (unreachable.length === 0 || votersProblem({ ...request, decide: { ...decide, groups: [] }, not }) === undefined)
    return undefined;
  const who = unreachable.map((id) => names[id] ?? id).join(", ");
  return `${who.slice(0, 150).toWellFormed()} can't be reached in Slack. Tell the people who run this service.`;
}

/** Whether a request needs votes of people, who vote in Slack. */
export const needsSlack = (rule: VoteRule): boolean => knownVoters(rule).filter(isProgram).length < votesNeeded(rule);

/**
 * Whether an approved action may run. `allowed`: now, and never again by this approval. `again`: it began before its process crashed.
 * Otherwise why not: other arguments than were approved, too late, or no approval.
 */
export type UseVerdict = "allowed" | "again" | "changed" | "void" | "not_approved";

/** Judges a call that is about to run. `policy`: digest of the rule in force. Returns the request to store when it changes. */
export function judgeUse(
  record: InputRecord,
  moment: Moment,
  { call, policy }: { readonly call: ActionCall; readonly policy: string },
): { readonly result: UseVerdict; readonly next?: InputRequest } {
  const { request } = record;
  const { state, action } = request;
  if (state === "void") return { result: "void" };
  if (action === undefined || (state !== "approved" && state !== "used")) return { result: "not_approved" };
  const isSame = actionDigest(call, request, policy) === action.digest;
  if (state === "used") return { result: isSame ? "again" : "changed" };
  const over = elapsed(record, moment);
  if (over !== undefined) return { result: "void", next: over };
  if (isSame) return { result: "allowed", next: { ...request, state: "used" } };
  const because = "The action is not the one that was approved.";
  return { result: "changed", next: closed(request, "withdrawn", { now: moment.now, because }) };
}
