import { randomBytes } from "node:crypto";
import { forUpdate } from "@crosszone/sql";
import { type Checkpoint, CheckpointError, openCheckpoint, publicKeyText, readPublicKey } from "../tree/checkpoint.ts";
import { Frontier } from "../tree/merkle.ts";
import type { AuditAnchor } from "./anchor.ts";
import type { AppendAudit } from "./append-audit.ts";
import type { NewAuditEvent } from "./audit-event.ts";
import { zoneAct } from "./author-act.ts";
import type { AuditTransaction, LogRow, SequenceDeps } from "./sequence.ts";

export interface OpenLogOptions extends SequenceDeps {
  /** The zone's name. */
  readonly zone: string;
  readonly append: AppendAudit;
  readonly anchor?: AuditAnchor | undefined;
}

/** An event of the log itself. */
export const logEvent = (zone: string, action: string, details: NewAuditEvent["details"]): NewAuditEvent =>
  zoneAct(zone, { action: `audit.${action}`, target: { type: "audit_log", id: zone }, details });

const newOrigin = (base: string): string => `${base}/${randomBytes(4).toString("hex")}`;

/**
 * Creates the log's row at the first start. At others, gives the tree a new origin in two cases: the database is behind the anchor or differs
 * from it, so it was restored from a backup; or the zone has another key. So no origin ever has two inconsistent checkpoints.
 */
export async function openLog(options: OpenLogOptions): Promise<void> {
  const { database, key, zone, anchor } = options;
  const publicKey = publicKeyText(key);
  const first = { origin: newOrigin(`crosszone-audit/${zone}`), public_key: publicKey };
  const empty = { id: 1 as const, size: 0, frontier: "", base_size: 0, base_frontier: "" };
  await database.db
    .insertInto("audit_log")
    .values({ ...first, ...empty })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await database.transaction(async (tx) => {
    const log = await tx
      .selectFrom("audit_log")
      .selectAll()
      .modifyEnd(forUpdate(database.engine))
      .executeTakeFirstOrThrow();
    const anchored = await anchor?.latest(log.origin);
    const lost = anchored === undefined ? undefined : await findLost(tx, log, anchored);
    if (lost !== undefined) return renew(tx, log, { options, action: "restore", details: describe(lost, "anchor") });
    if (log.public_key === publicKey) return;
    await renew(tx, log, { options, action: "rekey", details: { old_key: log.public_key, new_key: publicKey } });
  });
}

/** Returns a checkpoint at the anchor that is not of this tree. */
async function findLost(tx: AuditTransaction, log: LogRow, note: string): Promise<Checkpoint | undefined> {
  const anchored = openAnchored(note, log);
  if (anchored === undefined || anchored.size > log.size) return anchored;
  const stored = await tx
    .selectFrom("audit_checkpoint")
    .select("root")
    .where("size", "=", anchored.size)
    .executeTakeFirst();
  return stored === undefined || stored.root === anchored.root ? undefined : anchored;
}

/** A note that this log's key did not sign says nothing about it. */
function openAnchored(note: string, log: LogRow): Checkpoint | undefined {
  try {
    return openCheckpoint(note, [readPublicKey(log.public_key)]);
  } catch (error) {
    if (error instanceof CheckpointError) return undefined;
    throw error;
  }
}

const describe = ({ origin, size, root }: Checkpoint, of: string): Record<string, string | number> => ({
  [`${of}_origin`]: origin,
  [`${of}_size`]: size,
  [`${of}_root`]: root,
});

interface Renewal {
  readonly options: OpenLogOptions;
  readonly action: string;
  readonly details: NonNullable<NewAuditEvent["details"]>;
}

async function renew(tx: AuditTransaction, log: LogRow, { options, action, details }: Renewal): Promise<void> {
  const origin = newOrigin(log.origin.split("/").slice(0, 3).join("/"));
  await tx
    .updateTable("audit_log")
    .set({ origin, public_key: publicKeyText(options.key) })
    .execute();
  const root = Frontier.of(log.size, log.frontier).root().toString("base64");
  const kept = describe({ origin: log.origin, size: log.size, root }, "kept");
  await options.append(tx, [logEvent(options.zone, action, { ...details, ...kept, origin })]);
}
