import { randomBytes, randomUUID } from "node:crypto";
import type { AuditEvent, AuditRecord } from "@crosszone/contracts";
import { type Sender, createTokenBuckets } from "@crosszone/service-kit";
import { memberDigests } from "../tree.ts";
import type { ApiRefusal } from "@crosszone/admin-api";

/** An act to append. All members except `content` are in the tree forever: put nothing personal there. */
export interface NewAuditEvent {
  /** Names an act that may be appended again: an event whose id exists is left out. Random when absent. */
  readonly id?: string;
  /** What was done: `input.decide`. */
  readonly action: string;
  readonly outcome: AuditEvent["outcome"];
  readonly actor: {
    readonly type: AuditEvent["actor"]["type"];
    readonly id: string;
    readonly team?: string | undefined;
  };
  readonly target: { readonly type: string; readonly id: string };
  /** Where the actor acted. */
  readonly surface: AuditEvent["surface"];
  /** Unix milliseconds. */
  readonly at: number;
  readonly correlation_id?: string | undefined;
  /** The version of the policy that allowed or rejected it. */
  readonly policy?: string | undefined;
  readonly details?: AuditEvent["details"];
  /** Where the request came from. It is stored as content. */
  readonly from?: Sender | undefined;
  /** Personal or secret text, such as a reason or a display name. It can be erased: the tree has only salted hashes of it. */
  readonly content?: Readonly<Record<string, unknown>> | undefined;
}

type AuditContent = NonNullable<AuditRecord["content"]>;

/** Returns an act as it is stored, with its content apart. Members of the content that are undefined are left out. */
export function sealEvent({ content, from, at, ...act }: NewAuditEvent): {
  readonly event: AuditEvent;
  readonly content: AuditContent | undefined;
} {
  // Members that are undefined are not there as JSON.
  const event = { id: randomUUID(), at: new Date(at).toISOString(), ...act } as AuditEvent;
  // As JSON, so that the hashes are of what a reader gets back.
  const members = JSON.parse(JSON.stringify({ ...content, ...from })) as Readonly<Record<string, unknown>>;
  if (Object.keys(members).length === 0) return { event, content: undefined };
  const apart = { salt: randomBytes(32).toString("base64"), members };
  return { event: { ...event, content: memberDigests(apart) }, content: apart };
}

/** The author of an act over the API, or a file that makes it. */
export interface Author {
  /** `bootstrap`, `token:` and the name of a token, `subject:` and that of an identity provider, `person:` and that of a person who signed in, `zone:` and a caller of the zone link, `unknown` without a valid one, `file:` and that of a file, or `hook:` and that of a hook; never a secret. */
  readonly actor: string;
  readonly correlationId: string;
  readonly from?: Sender | undefined;
}

/** How a token or a session that is no longer live shows its actor. */
const ended = /^((?:token|person):.+) \((revoked|expired|signed out|without a role)\)$/;

export type AuthorAct = Pick<NewAuditEvent, "action" | "target" | "details" | "content">;

/** Returns the actor of an author's name. */
export function actorNamed(id: string): NewAuditEvent["actor"] {
  if (/^(file|hook):/.test(id)) return { type: "zone", id };
  if (id.startsWith("zone:")) return { type: "zone", id: id.slice("zone:".length) };
  if (id.startsWith("person:")) return { type: "person", id: id.slice("person:".length) };
  if (id.startsWith("subject:")) return { type: "subject", id: id.slice("subject:".length) };
  if (id === "unknown") return { type: "token", id: "?" };
  return id === "bootstrap" ? { type: id, id } : { type: "token", id: id.replace(/^token:/, "") };
}

/** Returns the event of an author's act that is done now. */
export function authorAct({ actor: name, correlationId, from }: Author, act: AuthorAct): NewAuditEvent {
  const [, token, is] = ended.exec(name) ?? [];
  const actor = actorNamed(token ?? name);
  const surface = actor.type === "zone" ? "zone" : actor.type === "person" ? "page" : "api";
  const details = is === undefined ? act.details : { ...act.details, token: is };
  return { ...act, details, outcome: "done", actor, surface, from, at: Date.now(), correlation_id: correlationId };
}

/** Returns the event of what a zone itself does now. */
export const zoneAct = (zone: string, act: AuthorAct & { readonly policy?: string }): NewAuditEvent => ({
  ...act,
  outcome: "done",
  actor: { type: "zone", id: zone },
  surface: "zone",
  at: Date.now(),
});

/** Appends an act that no transaction stores. */
export type RecordAct = (act: NewAuditEvent) => Promise<unknown>;

/** Refused acts of one actor that are recorded per minute, and of all strangers together: they must not be able to fill the log. */
const perMinute = 60;

/** Returns a function that returns true if another refused act of an actor is to be recorded. */
export function createActLimit(): (actor: string) => boolean {
  const buckets = createTokenBuckets({ perMinute });
  return (actor) => buckets.take(actor) === 0;
}

/**
 * Returns a function that records a refusal. It records a limited number a minute for each actor, or for each `key` if one is given. It never rejects.
 */
export function createRecordRejected(record: RecordAct, onFailure: (cause: unknown) => void) {
  const isWithin = createActLimit();
  return async (
    author: Author,
    { surface, ...act }: AuthorAct & { readonly surface?: NewAuditEvent["surface"] },
    key: string = author.actor,
  ): Promise<void> => {
    if (!isWithin(key)) return;
    const rejected = { ...authorAct(author, act), outcome: "rejected" } as const;
    await record(surface === undefined ? rejected : { ...rejected, surface }).catch(onFailure);
  };
}

/**
 * Returns a function that records each refused request of a token that lacks a right, and each refused change. Requests without a valid
 * token are limited by the token that was once valid, or together.
 */
export function createRecordRefusal(record: RecordAct) {
  const isWithin = createActLimit();
  return async ({ kind, method, act }: ApiRefusal): Promise<void> => {
    const { actor, operationId = "none", scope, status, params } = act;
    if (status !== 401 && status !== 403 && ["GET", "HEAD"].includes(method)) return;
    if (status === 401 && !isWithin(actor)) return;
    const target = { type: "api", id: [operationId, ...Object.values(params)].join(" ") };
    const details = { kind, status, scope };
    const refused = authorAct(act, { action: "api.request", target, details });
    await record({ ...refused, outcome: "rejected" });
  };
}
