import { readEvents, type ReadDeps } from "./read-events.ts";
import { toOcsf } from "./ocsf.ts";

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
