import type { AuditRecord } from "@crosszone/contracts";
import { readEvents, type ReadDeps } from "./read-events.ts";

export const auditFormat = "crosszone-audit/1";

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
