import type { KeyObject } from "node:crypto";
import { forUpdate, type Database, now, rowsStatement } from "@crosszone/sql";
import type { Selectable, Transaction } from "kysely";
import type { AuditLogTable, AuditTables } from "../table/audit-tables.ts";
import { publicKeyText, signCheckpoint } from "../tree/checkpoint.ts";
import { Frontier } from "../tree/merkle.ts";

export type AuditTransaction = Transaction<AuditTables>;
export type LogRow = Selectable<AuditLogTable>;

/** Signs heads of the tree. */
export interface SequenceDeps {
  readonly database: Database<AuditTables>;
  /** The private key. */
  readonly key: KeyObject;
}

/** A signed head that was stored. */
export interface StoredCheckpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: string;
  readonly note: string;
}

/** Maximum number of events in one transaction. */
const mostEvents = 1_000;

/** Events in a tile. */
export const tileWidth = 256;
const tileHeight = Math.log2(tileWidth);

const setPositions = rowsStatement({
  columns: { id: "bigint", position: "bigint" },
  text: (rows) => `update audit_event set position = new.position from ${rows} where audit_event.id = new.id`,
});
const insertTiles = rowsStatement({
  columns: { level: "bigint", number: "bigint", hash: "text" },
  text: (rows) => `insert into audit_tile (level, number, hash) select level, number, hash from ${rows}`,
});

/** Locks the row of the log until the end of the transaction. Undefined before the first start, and if another key signs. */
export async function lockLog(tx: AuditTransaction, { database, key }: SequenceDeps): Promise<LogRow | undefined> {
  const log = await tx.selectFrom("audit_log").selectAll().modifyEnd(forUpdate(database.engine)).executeTakeFirst();
  return log?.public_key === publicKeyText(key) ? log : undefined;
}

/** Signs a head of the tree and stores it. A head that was signed before stays. */
export async function storeCheckpoint(
  tx: AuditTransaction,
  { database: { engine }, key }: SequenceDeps,
  { origin, tree }: { readonly origin: string; readonly tree: Frontier },
): Promise<StoredCheckpoint> {
  const head = { origin, size: tree.size, root: tree.root().toString("base64") };
  const note = signCheckpoint(head, key);
  await tx
    .insertInto("audit_checkpoint")
    .values({ size: head.size, at: now(engine), root: head.root, note })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return { ...head, note };
}

/**
 * Puts waiting events into the tree in the order of their ids, and signs its head: at most 1,000 events in one transaction. An event that
 * becomes visible later gets a later position. Several processes can call it at once. Returns the head, or undefined if nothing waits.
 */
export const sequence = (deps: SequenceDeps): Promise<StoredCheckpoint | undefined> =>
  deps.database.transaction((tx) => sequenceIn(tx, deps));

export async function sequenceIn(tx: AuditTransaction, deps: SequenceDeps): Promise<StoredCheckpoint | undefined> {
  const { database } = deps;
  const log = await lockLog(tx, deps);
  if (log === undefined) return undefined;
  const waiting = await tx
    .selectFrom("audit_event")
    .select(["id", "leaf"])
    .where("position", "is", null)
    .orderBy("id")
    .limit(mostEvents)
    .execute();
  if (waiting.length === 0) return undefined;
  const tree = Frontier.of(log.size, log.frontier);
  const tiles: { level: number; number: number; hash: string }[] = [];
  for (const { leaf } of waiting)
    tree.append(Buffer.from(leaf, "base64"), (height, number, hash) => {
      if (height % tileHeight === 0) tiles.push({ level: height / tileHeight, number, hash: hash.toString("base64") });
    });
  const places = waiting.map(({ id }, index) => ({ id, position: log.size + index }));
  await setPositions(tx, database.engine, places);
  await insertTiles(tx, database.engine, tiles);
  const { numUpdatedRows } = await tx
    .updateTable("audit_log")
    .set({ size: tree.size, frontier: tree.toString() })
    .where("size", "=", log.size)
    .where("origin", "=", log.origin)
    .executeTakeFirst();
  // Unreachable while the row is locked. The tree must not fork, whatever the lock does.
  if (numUpdatedRows !== 1n) throw new Error("another process signed the audit log at the same time");
  return storeCheckpoint(tx, deps, { origin: log.origin, tree });
}
