import { Frontier } from "../tree/merkle.ts";
import { logEvent, type OpenLogOptions } from "./open-log.ts";
import { lockLog, sequenceIn, storeCheckpoint, tileWidth } from "./sequence.ts";

/** Maximum number of events that one transaction removes. */
const mostRemoved = 256 * tileWidth;

/**
 * Removes the oldest events that happened before `before`, Unix milliseconds: whole tiles, so that the others keep their proofs. Signs the
 * head of what it removed, and appends `audit.retain`. Returns the number of events.
 */
export async function retainEvents(options: OpenLogOptions, before: number): Promise<number> {
  const { database, append, zone } = options;
  return database.transaction(async (tx) => {
    const log = await lockLog(tx, options);
    if (log === undefined) return 0;
    const removable = tx.selectFrom("audit_event").where("position", ">=", log.base_size).orderBy("position");
    const kept = await removable.select("position").where("at", ">=", before).limit(1).executeTakeFirst();
    const most = Math.min(kept?.position ?? log.size, log.size, log.base_size + mostRemoved);
    const to = most - (most % tileWidth);
    const events = to - log.base_size;
    if (events <= 0) return 0;
    const leaves = await removable.select("leaf").where("position", "<", to).execute();
    const tree = Frontier.of(log.base_size, log.base_frontier);
    for (const { leaf } of leaves) tree.append(Buffer.from(leaf, "base64"));
    await storeCheckpoint(tx, options, { origin: log.origin, tree });
    const removed = tx.selectFrom("audit_event").select("event_id").where("position", "<", to);
    await tx.deleteFrom("audit_content").where("event_id", "in", removed).execute();
    await tx.deleteFrom("audit_event").where("position", "<", to).execute();
    await tx.deleteFrom("audit_checkpoint").where("size", "<", to).execute();
    await tx.updateTable("audit_log").set({ base_size: to, base_frontier: tree.toString() }).execute();
    await append(tx, [logEvent(zone, "retain", { events, to })]);
    // In the same transaction, so that every export has the event that says where its events begin.
    while ((await sequenceIn(tx, options)) !== undefined);
    return events;
  });
}
