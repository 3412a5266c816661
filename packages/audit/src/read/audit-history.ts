import { opened, type RecordCodec } from "@crosszone/service-kit";
import { columnText, type Database } from "@crosszone/sql";
import type { AuditContent, AuditEvent } from "../log/audit-event.ts";
import { type AuditTables, contentContext } from "../table/audit-tables.ts";

/** An event with the members of its content; empty once it is erased. */
export interface ReadAuditEvent {
  readonly event: AuditEvent;
  readonly content: AuditContent["members"];
}

/** Returns a page of the events of a target, latest first, and how many there are. */
export type AuditHistory = (
  target: AuditEvent["target"],
  page: { readonly limit: number; readonly offset: number },
) => Promise<{ readonly events: readonly ReadAuditEvent[]; readonly total: number }>;

/** Reads the histories of targets. `codec`: opens the content. */
export const createAuditHistory =
  <Tables extends AuditTables>(database: Database<Tables>, codec: RecordCodec): AuditHistory =>
  async ({ type, id }, { limit, offset }) => {
    // A database with more tables also has these.
    const { db } = database as unknown as Database<AuditTables>;
    const all = db.selectFrom("audit_event").where("target", "=", columnText(`${type}:${id}`));
    const page = all
      .leftJoin("audit_content", "audit_content.event_id", "audit_event.event_id")
      .select(["audit_event.event_id", "event", "record"])
      .orderBy("id", "desc")
      .limit(limit)
      .offset(offset);
    const count = all.select(({ fn }) => fn.countAll<number>().as("total"));
    const [rows, { total }] = await Promise.all([page.execute(), count.executeTakeFirstOrThrow()]);
    const events = rows.map(({ event_id, event, record }) => {
      const content = record === null ? undefined : opened(() => codec.fromColumn(record, contentContext(event_id)));
      return { event: JSON.parse(event) as AuditEvent, content: (content as AuditContent | undefined)?.members ?? {} };
    });
    return { events, total };
  };
