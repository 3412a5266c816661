import type { AuditEventList, AuditHead, AuditReceipt } from "@crosszone/contracts";
import { receiptOf } from "./receipt.ts";
import { exportAudit } from "./export-audit.ts";
import { type EventsQuery, readEvents, type ReadDeps } from "./read-events.ts";

/** A request to read the audit log. */
export type AuditQuery =
  | ({ readonly read: "events" } & EventsQuery)
  | { readonly read: "export"; readonly format?: "jsonl" | "ocsf" | undefined }
  | { readonly read: "checkpoint" }
  | { readonly read: "receipt"; readonly eventId: string };

/** The body of an answer, undefined if what was asked for does not exist, or the lines of an export. */
export type AuditAnswer =
  { readonly body: AuditEventList | AuditHead | AuditReceipt | undefined } | { readonly lines: AsyncIterable<string> };

/** Answers a request to read the audit log, for the API of either zone. */
export async function answerAudit(deps: ReadDeps, query: AuditQuery): Promise<AuditAnswer> {
  switch (query.read) {
    case "events":
      return { body: await listEvents(deps, query) };
    case "export":
      await deps.sign?.();
      return { lines: exportAudit(deps, query.format) };
    case "checkpoint":
      return { body: await readHead(deps) };
    case "receipt":
      break;
  }
  return { body: await receiptOf(deps, query.eventId) };
}

async function listEvents(deps: ReadDeps, { limit, ...query }: EventsQuery): Promise<AuditEventList> {
  const rows = await readEvents(deps, { ...query, limit });
  const events = rows.map(({ id: _id, ...event }) => event);
  const last = rows.at(-1);
  const later = last === undefined ? [] : await readEvents(deps, { ...query, before: last.id, limit: 1 });
  return last !== undefined && later.length > 0 ? { events, next: last.id } : { events };
}

async function readHead({ database: { db } }: ReadDeps): Promise<AuditHead> {
  const { origin, public_key, size } = await db.selectFrom("audit_log").selectAll().executeTakeFirstOrThrow();
  const row = await db.selectFrom("audit_checkpoint").select("note").where("size", "=", size).executeTakeFirst();
  const count = db.selectFrom("audit_event").select((of) => of.fn.countAll<number>().as("count"));
  const { count: waiting } = await count.where("position", "is", null).executeTakeFirstOrThrow();
  const head = { origin, public_key, size, waiting };
  return row === undefined ? head : { ...head, checkpoint: row.note };
}
