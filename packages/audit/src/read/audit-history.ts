import type { AuditRecord } from "@crosszone/contracts";
import { columnText } from "@crosszone/sql";
import { readEvents, type ReadDeps } from "./read-events.ts";

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
