import { randomUUID } from "node:crypto";
import { actorNamed, type NewAuditEvent } from "@crosszone/audit";
import type { InputRequest, InputState } from "@crosszone/contracts";
import type { Ballot } from "./decide.ts";
import type { InputRecord } from "./input-record.ts";

/** Who acts on a request, and where. */
export interface Actor {
  readonly actor: NewAuditEvent["actor"];
  readonly surface: NewAuditEvent["surface"];
  readonly from?: NewAuditEvent["from"];
  /** The person who signed in, when a Slack user acts in the console. */
  readonly signedIn?: string | undefined;
}

/** The zone acts when time passes, when a task or run ends, and when an approved action runs. */
export const zoneActor: Actor = { actor: { type: "zone", id: "execution" }, surface: "zone" };

/** Returns a person that verification or a sign-in identified, or an API token by its name. */
export function voterActor({ by: { user_id, team_id }, via, from, signedIn }: Omit<Ballot, "answer">): Actor {
  const person = { type: "person", id: user_id, team: team_id } as const;
  if (via === "slack") return { actor: person, surface: via };
  if (via === "console") return { actor: person, surface: "page", from, signedIn };
  return { ...apiActor(user_id, from), surface: via };
}

/** `name`: an API token's, `bootstrap`, or a signed-in person's. */
export function apiActor(name: string, from?: Actor["from"]): Actor {
  const actor = actorNamed(name);
  return { actor, surface: actor.type === "person" ? "page" : "api", from };
}

/** What a request becomes, by the state that the act leads to. */
const actions = {
  approved: "input.decide",
  denied: "input.decide",
  answered: "input.decide",
  expired: "input.expire",
  withdrawn: "input.withdraw",
  used: "input.use",
  void: "input.void",
} as const satisfies Record<Exclude<InputState, "open">, string>;

/** Returns the event of an act on a request. `at`: Unix milliseconds. */
function actOn({ request, terms, caller }: InputRecord, { actor, surface, from, signedIn }: Actor, at: number) {
  const { request_id: id, task_id, run_id, agent, action, team_id, correlation_id } = request;
  const of = { task_id, run_id, agent, tool: action?.tool, digest: action?.digest, caller, signed_in: signedIn };
  // The text of what the zone does belongs to the requester's team.
  const by = actor.type === "zone" ? { ...actor, team: team_id } : actor;
  return (
    done: (typeof actions)[keyof typeof actions] | "input.ask" | "input.vote",
    details?: NewAuditEvent["details"],
    content?: NewAuditEvent["content"],
  ): NewAuditEvent => ({
    action: done,
    outcome: "done",
    actor: by,
    target: { type: "input_request", id },
    surface,
    from,
    at,
    correlation_id,
    policy: terms.policy,
    details: { ...of, ...details },
    content,
  });
}

/** Returns the event of a new request. Repeating it adds no other. */
export function askAct(record: InputRecord): NewAuditEvent {
  const { request_id, kind, title, body, action, created_at } = record.request;
  const act = actOn(record, zoneActor, Date.parse(created_at));
  const content = { title, body, arguments: action?.arguments };
  return { ...act("input.ask", { kind }, content), id: `ask-${request_id}` };
}

/** Returns a changed request and the events of its change. A decided request names its event. */
export function withActs(
  before: InputRecord,
  next: InputRequest,
  { by, at }: { readonly by: Actor; readonly at: number },
): { readonly request: InputRequest; readonly acts: readonly NewAuditEvent[] } {
  const { state, votes, answer, closed_because: because, withdraw_reason: reason } = next;
  const isVote = votes !== before.request.votes;
  if (state === before.request.state && !isVote) return { request: next, acts: [] };
  const action = state === "open" ? "input.vote" : actions[state];
  const last = votes.at(-1);
  if (action === "input.vote") {
    const [details, content] = [{ verdict: last?.verdict, votes: votes.length }, { reason: last?.reason }];
    return { request: next, acts: [actOn(before, by, at)(action, details, content)] };
  }
  // The zone expires a request, even if a press came too late.
  const act = actOn(before, action === "input.expire" ? zoneActor : by, at);
  if (action !== "input.decide")
    return { request: next, acts: [act(action, { state, because }, reason === undefined ? reason : { reason })] };
  const counted = votes.filter(({ verdict }) => verdict === answer?.verdict).map(({ user_id }) => user_id);
  const { verdict, ...content } = answer ?? { verdict: undefined };
  const details = { state, verdict, via: last?.via, votes: counted.join(" "), because };
  const decision_event = randomUUID();
  return { request: { ...next, decision_event }, acts: [{ ...act(action, details, content), id: decision_event }] };
}

export function rejectedInputAct(
  record: InputRecord,
  act: {
    readonly by: Actor;
    readonly at: number;
    readonly action: "input.decide" | "input.use";
    readonly because: string;
  },
): NewAuditEvent {
  const { by, at, action, because } = act;
  return { ...actOn(record, by, at)(action, { because }), outcome: "rejected" };
}

/** Returns the event of an answer to a request that the caller's tasks don't have. */
export const unknownAct = (id: string, { actor, surface, from }: Actor, caller: string): NewAuditEvent => ({
  action: "input.decide",
  outcome: "rejected",
  actor,
  target: { type: "input_request", id },
  surface,
  from,
  at: Date.now(),
  details: { caller, because: "not_found" },
});
