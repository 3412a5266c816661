import type { AuditEvent, AuditRecord } from "@crosszone/contracts";
import { opened, type RecordCodec } from "@crosszone/service-kit";
import { columnText, type Database, storedBytes, withinPageBytes } from "@crosszone/sql";
import { type AuditTables, contentContext } from "../table/audit-tables.ts";

export interface ReadDeps {
  readonly database: Pick<Database<AuditTables>, "db">;
  readonly codec: RecordCodec;
  /** Signs what waits, so that an export has it. Absent in a process that only appends. */
  readonly sign?: () => Promise<void>;
}

/** An event with the number of its row. */
export interface ReadEvent extends AuditRecord {
  readonly id: number;
}

export interface EventsQuery {
  readonly eventId?: string;
  /** `type:id`. */
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  /** `type:id`. */
  readonly target?: string | undefined;
  /** Unix milliseconds. */
  readonly since?: number | undefined;
  /** Only events that were stored before: `next` of the previous page. */
  readonly before?: number | undefined;
  /** Only positions from here, in their order; otherwise events are latest first. */
  readonly from?: number;
  /** Only positions before. */
  readonly to?: number;
  readonly limit: number;
  readonly offset?: number;
}

/** Reads events with their content. A page of large ones ends early, see `withinPageBytes`. */
export async function readEvents(deps: ReadDeps, query: EventsQuery): Promise<readonly ReadEvent[]> {
  const { eventId, actor, action, target, since, before, from, to, limit, offset = 0 } = query;
  const events = deps.database.db
    .selectFrom("audit_event")
    .leftJoin("audit_content", "audit_content.event_id", "audit_event.event_id");
  let select = events
    .select(["audit_event.id", storedBytes("event", "record").as("bytes")])
    .limit(limit)
    .offset(offset);
  if (eventId !== undefined) select = select.where("audit_event.event_id", "=", eventId);
  if (actor !== undefined) select = select.where("actor", "=", actor);
  if (action !== undefined) select = select.where("action", "=", action);
  if (target !== undefined) select = select.where("target", "=", target);
  if (since !== undefined) select = select.where("at", ">=", since);
  if (before !== undefined) select = select.where("audit_event.id", "<", before);
  if (to !== undefined) select = select.where("position", "<", to);
  if (from !== undefined) select = select.where("position", ">=", from);
  const [column, direction] =
    from === undefined ? (["audit_event.id", "desc"] as const) : (["position", "asc"] as const);
  const rows = await events
    .select(["audit_event.id", "audit_event.event_id", "position", "leaf", "event", "record"])
    .where(withinPageBytes("audit_event", ["id"], select.orderBy(column, direction)))
    .orderBy(column, direction)
    .execute();
  return rows.map(({ id, event_id: name, position, leaf, event, record }) => {
    const shown = { id, position, leaf, event: JSON.parse(event) as AuditEvent };
    const content = record === null ? undefined : opened(() => deps.codec.fromColumn(record, contentContext(name)));
    return content === undefined ? shown : { ...shown, content: content as NonNullable<AuditRecord["content"]> };
  });
}

/** Returns a page of the events of a target, latest first, and how many there are. */
export async function readHistory(
  deps: ReadDeps,
  { type, id }: AuditRecord["event"]["target"],
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly events: readonly AuditRecord[]; readonly total: number }> {
  const target = columnText(`${type}:${id}`);
  const count = deps.database.db.selectFrom("audit_event").select(({ fn }) => fn.countAll<number>().as("total"));
  const { total } = await count.where("target", "=", target).executeTakeFirstOrThrow();
  return { events: await readEvents(deps, { target, ...page }), total };
}
