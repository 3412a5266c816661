import { hash } from "node:crypto";
import type { InputAction, InputRequest } from "@crosszone/contracts";
import { canonicalJson } from "@crosszone/service-kit/json";

/** What decides about a request besides what people see. */
export interface InputTerms {
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

/** A stored request. */
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
export const originOf = ({ ask }: AskedAs, userId: string | undefined): string | undefined =>
  ask?.surface ?? (userId === undefined ? "link" : undefined);

export type ActionCall = Omit<InputAction, "digest" | "arguments"> & { readonly arguments: unknown };

/** Returns the digest of an action in its request, SHA-256 in hex. */
export function digestOf(
  { agent, tool, arguments: given }: ActionCall,
  { requester, team_id, run_id, step_id }: Pick<InputRequest, "requester" | "team_id" | "run_id" | "step_id">,
  policy: string,
): string {
  return hash("sha256", canonicalJson({ agent, tool, arguments: given, requester, team_id, run_id, step_id, policy }));
}

/** Returns the id of the request that a task makes under a key: always the same one. */
export const requestIdOf = (taskId: string, key: string): string =>
  `inp_${hash("sha256", JSON.stringify([taskId, key])).slice(0, 32)}`;

/**
 * Whether something can still happen to a request: votes, or the use of its approval. A workflow run continues when its request is
 * decided.
 */
export const isLive = ({ state, action, run_id }: InputRequest): boolean =>
  state === "open" || (state === "approved" && action !== undefined && run_id === undefined);
