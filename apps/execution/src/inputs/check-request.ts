import { type InputDeciders, isInputRequest, problemsOf, ZoneError } from "@crosszone/contracts";
import type { InputRecord } from "./input-record.ts";

/** Whom the rules of a request count besides the people that it names. */
interface Counted {
  readonly requester?: string | undefined;
  readonly not?: readonly string[] | undefined;
}

/** Returns why nobody, or too few people, can decide; undefined when enough can. The members of a group are unknown. */
export function deciderProblem(rule: InputDeciders, { requester, not = [] }: Counted): string | undefined {
  if (rule.groups.length > 0) return undefined;
  const voters = new Set(rule.people);
  if (requester !== undefined && rule.requester) voters.add(requester);
  if (requester !== undefined && !rule.requester) voters.delete(requester);
  for (const id of not) voters.delete(id);
  const needed = Math.max(rule.approve, rule.deny);
  if (voters.size === 0) return "names nobody who can decide: add people, groups or requester";
  return voters.size < needed
    ? `needs ${needed} votes, but only ${voters.size} can vote: name more people or a group`
    : undefined;
}

/**
 * Throws `agent_misconfigured` when nobody, or too few people, can decide a new request, and `agent_invalid_response` when the contract does
 * not allow it: agents and workflows write titles, options and forms.
 */
export function checkRequest({ request, terms }: InputRecord): void {
  const { decide, requester } = request;
  const nobody = deciderProblem(decide, { requester, not: terms.not });
  if (nobody !== undefined)
    throw new ZoneError("agent_misconfigured", {}, { cause: new Error(`The input request ${nobody}.`) });
  const [wrong] = problemsOf(isInputRequest, JSON.parse(JSON.stringify(request)));
  if (wrong === undefined) return;
  const cause = new Error(`The input request is invalid: ${wrong.pointer} ${wrong.message}.`);
  throw new ZoneError("agent_invalid_response", {}, { cause });
}
