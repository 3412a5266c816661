import { columnText } from "@crosszone/sql";
import type { AuditEvent } from "../log/audit-event.ts";
import { type ExportedEvent, readEvents, type ReadDeps } from "./read-events.ts";

/** Returns a page of the events of a target, latest first, and how many there are. */
export async function readHistory(
  deps: ReadDeps,
  { type, id }: AuditEvent["target"],
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly events: readonly ExportedEvent[]; readonly total: number }> {
  const target = columnText(`${type}:${id}`);
  const count = deps.database.db.selectFrom("audit_event").select(({ fn }) => fn.countAll<number>().as("total"));
  const { total } = await count.where("target", "=", target).executeTakeFirstOrThrow();
  return { events: await readEvents(deps, { target, ...page }), total };
}
