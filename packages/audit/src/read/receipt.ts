import type { AuditReceipt } from "@crosszone/contracts";
import { type Hash, proveInclusion, rootOf } from "../tree/merkle.ts";
import { readEvents, type ReadDeps } from "./read-events.ts";

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
