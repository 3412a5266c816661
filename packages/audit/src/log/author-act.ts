import type { Sender } from "@crosszone/service-kit";
import type { NewAuditEvent } from "./audit-event.ts";

/** The author of an act over the API, or a file that makes it. */
export interface Author {
  /** `bootstrap`, `token:` and the name of a token, `subject:` and that of an identity provider, `zone:` and a caller of the zone link, `unknown` without a valid one, or `file:` and that of a file; never a secret. */
  readonly actor: string;
  readonly correlationId: string;
  readonly from?: Sender | undefined;
}

/** Returns the author alone, of something that has more members. */
export const authorOf = ({ actor, correlationId, from }: Author): Author => ({ actor, correlationId, from });

/** How `findEnded` shows the actor of a token that is no longer live. */
const ended = /^(token:.+) \((revoked|expired)\)$/;

type AuthorAct = Pick<NewAuditEvent, "action" | "target" | "details" | "content">;

/** Returns the actor of an author's name. */
export function actorNamed(id: string): NewAuditEvent["actor"] {
  if (id.startsWith("file:")) return { type: "zone", id };
  if (id.startsWith("zone:")) return { type: "zone", id: id.slice("zone:".length) };
  if (id.startsWith("subject:")) return { type: "subject", id: id.slice("subject:".length) };
  if (id === "unknown") return { type: "token", id: "?" };
  return id === "bootstrap" ? { type: id, id } : { type: "token", id: id.replace(/^token:/, "") };
}

/** Returns the event of an author's act that is done now. */
export function authorAct({ actor: name, correlationId, from }: Author, act: AuthorAct): NewAuditEvent {
  const [, token, is] = ended.exec(name) ?? [];
  const actor = actorNamed(token ?? name);
  const surface = actor.type === "zone" ? "zone" : "api";
  const details = is === undefined ? act.details : { ...act.details, token: is };
  return { ...act, details, outcome: "done", actor, surface, from, at: Date.now(), correlation_id: correlationId };
}

/** Returns the event of what a zone itself does now. */
export const zoneAct = (zone: string, act: AuthorAct & Pick<NewAuditEvent, "policy">): NewAuditEvent => ({
  ...act,
  outcome: "done",
  actor: { type: "zone", id: zone },
  surface: "zone",
  at: Date.now(),
});
