import { type InputDeciders, isInputRequest, problemsOf, ZoneError } from "@crosszone/contracts";
import { formOf } from "./check-answer.ts";
import type { InputRecord } from "./input-record.ts";

/** Whom the rules of a request count besides the people that it names. */
interface Counted {
  readonly requester?: string | undefined;
  readonly not?: readonly string[] | undefined;
}

/** Returns why too few people can decide, as the rest of a sentence; undefined when enough can. A group's members are unknown. */
export function deciderProblem(rule: InputDeciders, { requester, not = [] }: Counted): string | undefined {
  if (rule.groups.length > 0) return undefined;
  const voters = new Set(rule.people);
  if (requester !== undefined && rule.requester) voters.add(requester);
  if (requester !== undefined && !rule.requester) voters.delete(requester);
  for (const id of not) voters.delete(id);
  const needed = Math.max(rule.approve, rule.deny);
  if (voters.size === 0) return "names no eligible approver: add people, groups or requester";
  return voters.size < needed
    ? `needs ${needed} votes, but only ${voters.size} can vote: name more people or a group`
    : undefined;
}

/**
 * Throws `agent_misconfigured` when too few people can decide a new request, and `agent_invalid_response` when the contract does
 * not allow it: agents and workflows write titles, options and forms.
 */
export function checkRequest({ request, terms }: InputRecord): void {
  const { decide, requester, schema } = request;
  const nobody = deciderProblem(decide, { requester, not: terms.not });
  if (nobody !== undefined)
    throw new ZoneError("agent_misconfigured", {}, { cause: new Error(`The input request ${nobody}.`) });
  const [wrong] = problemsOf(isInputRequest, JSON.parse(JSON.stringify(request)));
  if (wrong !== undefined) throw invalid(`${wrong.pointer} ${wrong.message}`);
  try {
    if (schema !== undefined) formOf(schema);
  } catch (cause) {
    throw invalid("/schema is not a JSON Schema", cause);
  }
}

const invalid = (what: string, cause?: unknown): ZoneError =>
  new ZoneError(
    "agent_invalid_response",
    {},
    { cause: new Error(`The input request is invalid: ${what}.`, { cause }) },
  );
