import type { AuditEvent, AuditHead, AuditReceipt, AuditRecord } from "@crosszone/contracts";
import { opened, type RecordCodec } from "@crosszone/service-kit";
import { columnText, type Database, storedBytes, withinPageBytes } from "@crosszone/sql";
import { sql } from "kysely";
import { type AuditTables, contentContext } from "./audit-tables.ts";
import { type Hash, proveInclusion, rootOf } from "./tree.ts";

export interface ReadDeps {
  readonly database: Database<AuditTables>;
  readonly codec: RecordCodec;
  /** Signs what waits, so that an export and a receipt have it. Absent in a process that only appends. */
  readonly sign?: () => Promise<void>;
}

/** An event with the number of its row. */
interface ReadEvent extends AuditRecord {
  readonly id: number;
}

export interface EventsQuery {
  readonly eventId?: string;
  /** `type:id`. */
  readonly actor?: string | undefined;
  /** Any of them. */
  readonly actors?: readonly string[];
  readonly action?: string | undefined;
  /** `type:id`. */
  readonly target?: string | undefined;
  /** False leaves out reads of content. */
  readonly reads?: boolean | undefined;
  /** Unix milliseconds. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Only events that were stored before this one. */
  readonly before?: number | undefined;
  /** Only positions from here, in their order; otherwise events are latest first. */
  readonly from?: number;
  /** Only positions before. */
  readonly to?: number;
  readonly limit: number;
}

/** Reads events with their content. A page of large ones ends early, see `withinPageBytes`. */
async function readEvents(deps: ReadDeps, query: EventsQuery): Promise<readonly ReadEvent[]> {
  const { eventId, actor, actors, action, target, reads, since, until, before, from, to, limit } = query;
  const events = deps.database.db
    .selectFrom("audit_event")
    .leftJoin("audit_content", "audit_content.event_id", "audit_event.event_id");
  let select = events.select(["audit_event.id", storedBytes("event", "record").as("bytes")]).limit(limit);
  if (eventId !== undefined) select = select.where("audit_event.event_id", "=", eventId);
  if (actor !== undefined) select = select.where("actor", "=", actor);
  if (actors !== undefined) select = select.where("actor", "in", actors);
  // As the index has it.
  if (reads === false) select = select.where(sql<boolean>`action <> 'content.read'`);
  if (action !== undefined) select = select.where("action", "=", action);
  if (target !== undefined) select = select.where("target", "=", target);
  if (since !== undefined) select = select.where("at", ">=", since);
  if (until !== undefined) select = select.where("at", "<", until);
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

/** Returns a page of the events of a target, latest first, how many there are, and the number of its last row unless it is the last page. */
export async function readHistory(
  deps: ReadDeps,
  { type, id }: AuditRecord["event"]["target"],
  page: Pick<EventsQuery, "limit" | "before">,
): Promise<Awaited<ReturnType<typeof listEvents>> & { readonly total: number }> {
  const target = columnText(`${type}:${id}`);
  const count = deps.database.db.selectFrom("audit_event").select(({ fn }) => fn.countAll<number>().as("total"));
  const { total } = await count.where("target", "=", target).executeTakeFirstOrThrow();
  return { ...(await listEvents(deps, { target, ...page })), total };
}

const auditFormat = "crosszone-audit/1";

/** The first line of an export. */
export interface ExportHeader {
  readonly format: typeof auditFormat;
  readonly origin: string;
  readonly public_key: string;
  /** The events that retention removed: their number, and the frontier of the tree without the others. */
  readonly base: { readonly size: number; readonly frontier: string };
  readonly exported_at: string;
}

const pageSize = 500;

/**
 * Returns the lines of an export, each with its line feed: the header, then the events in order, each checkpoint after the last event that it
 * covers. `ocsf`: the events alone, as OCSF. Reads a page at a time. Throws when retention removes events meanwhile.
 */
export async function* exportAudit(deps: ReadDeps, format: "jsonl" | "ocsf" = "jsonl"): AsyncGenerator<string> {
  const { db } = deps.database;
  const log = await db.selectFrom("audit_log").selectAll().executeTakeFirstOrThrow();
  const { origin, public_key, size, base_size, base_frontier: frontier } = log;
  const base = { size: base_size, frontier };
  const exported_at = new Date().toISOString();
  const header: ExportHeader = { format: auditFormat, origin, public_key, base, exported_at };
  const isOurs = format === "jsonl";
  if (isOurs) yield lineOf(header);
  const notesOf = async (from: number, to: number) => {
    const inRange = db.selectFrom("audit_checkpoint").select(["size", "note"]).where("size", ">=", from);
    const rows = isOurs ? await inRange.where("size", "<=", to).execute() : [];
    return new Map(rows.map((row) => [row.size, lineOf({ checkpoint: row.note })]));
  };
  if (base_size > 0) yield (await notesOf(base_size, base_size)).get(base_size) ?? "";
  for (let next = base_size; next < size;) {
    const rows = await readEvents(deps, { from: next, to: size, limit: pageSize });
    const notes = await notesOf(next + 1, next + rows.length);
    if (rows[0]?.position !== next) throw new Error("Retention removed events during the export. Export again.");
    const lines = rows.map((row) => {
      const { id: _id, ...exported } = row;
      return lineOf(isOurs ? exported : toOcsf(exported)) + (notes.get((row.position ?? 0) + 1) ?? "");
    });
    yield lines.join("");
    next += rows.length;
  }
}

const lineOf = (value: unknown): string => `${JSON.stringify(value)}\n`;

/** Activities of the class by the last word of an action. Others are 99, other. */
const activities: Readonly<Record<string, number>> = { create: 1, read: 2, list: 2, update: 3, delete: 4 };

/** Returns an event as OCSF API Activity. https://schema.ocsf.io/1.3.0/classes/api_activity */
function toOcsf({ event, position, leaf, content }: AuditRecord): Readonly<Record<string, unknown>> {
  const { id, at, action, outcome, actor, target, surface, correlation_id, policy, details } = event;
  const activity = activities[action.slice(action.lastIndexOf(".") + 1)] ?? 99;
  return {
    class_uid: 6003,
    category_uid: 6,
    activity_id: activity,
    type_uid: 600_300 + activity,
    time: Date.parse(at),
    severity_id: 1,
    status_id: outcome === "done" ? 1 : 2,
    status_detail: outcome,
    metadata: { version: "1.3.0", uid: id, correlation_uid: correlation_id, product: { name: "Crosszone" } },
    actor: {
      user: { uid: actor.id, type: actor.type, org: actor.team === undefined ? undefined : { uid: actor.team } },
    },
    api: { operation: action },
    src_endpoint: { name: surface, ip: content?.members["address"] },
    http_request: content && { user_agent: content.members["client"] },
    resources: [{ uid: target.id, type: target.type }],
    unmapped: { position, leaf, policy, details, content: content?.members },
  };
}

/** Returns the receipt of an event. Undefined for an unknown event, and until a checkpoint covers it. */
export async function receiptOf(deps: ReadDeps, eventId: string): Promise<AuditReceipt | undefined> {
  const { db } = deps.database;
  const [row] = await readEvents(deps, { eventId, limit: 1 });
  if (row === undefined || row.position === null) return undefined;
  const { id: _id, ...shown } = row;
  const { public_key } = await db.selectFrom("audit_log").select("public_key").executeTakeFirstOrThrow();
  const latest = db.selectFrom("audit_checkpoint").select(["size", "note"]).orderBy("size", "desc").limit(1);
  const { size, note } = await latest.executeTakeFirstOrThrow();
  const proof = await proveInclusion(row.position, size, (height, number) => readSubtree(deps, height, number));
  const hashes = proof.map((hash) => hash.toString("base64"));
  return {
    format: "crosszone-audit-receipt/1",
    public_key,
    ...shown,
    position: row.position,
    proof: hashes,
    checkpoint: note,
  };
}

/** Returns the root of a complete subtree, from at most 128 hashes of leaves or tiles. */
async function readSubtree({ database: { db } }: ReadDeps, height: number, number: number): Promise<Hash> {
  const level = Math.floor(height / 8);
  const count = 2 ** (height % 8);
  const [from, to] = [number * count, (number + 1) * count];
  const leaves = db.selectFrom("audit_event").select("leaf as hash").where("position", ">=", from);
  const tiles = db.selectFrom("audit_tile").select("hash").where("level", "=", level).where("number", ">=", from);
  const rows =
    level === 0
      ? await leaves.where("position", "<", to).orderBy("position").execute()
      : await tiles.where("number", "<", to).orderBy("number").execute();
  if (rows.length !== count) throw new Error(`the audit log has ${rows.length} of ${count} hashes at level ${level}`);
  return rootOf(rows.map(({ hash }) => Buffer.from(hash, "base64")));
}

/** Returns a page of events, and the number of its last row unless it is the last page. */
export async function listEvents(
  deps: ReadDeps,
  query: EventsQuery,
): Promise<{ readonly events: AuditRecord[]; readonly next?: number }> {
  const rows = await readEvents(deps, query);
  const events = rows.map(({ id: _id, ...event }) => event);
  const last = rows.at(-1);
  const later = last === undefined ? [] : await readEvents(deps, { ...query, before: last.id, limit: 1 });
  return last !== undefined && later.length > 0 ? { events, next: last.id } : { events };
}

export async function readHead({ database: { db } }: ReadDeps): Promise<AuditHead> {
  const { origin, public_key, size } = await db.selectFrom("audit_log").selectAll().executeTakeFirstOrThrow();
  const row = await db.selectFrom("audit_checkpoint").select("note").where("size", "=", size).executeTakeFirst();
  const count = db.selectFrom("audit_event").select((of) => of.fn.countAll<number>().as("count"));
  const { count: waiting } = await count.where("position", "is", null).executeTakeFirstOrThrow();
  const head = { origin, public_key, size, waiting };
  return row === undefined ? head : { ...head, checkpoint: row.note };
}
