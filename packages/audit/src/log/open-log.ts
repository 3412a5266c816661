import { type KeyObject, randomBytes } from "node:crypto";
import { appendFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Database, forUpdate, now, rowsStatement } from "@crosszone/sql";
import type { Selectable, Transaction } from "kysely";
import type { AuditLogTable, AuditTables } from "../audit-tables.ts";
import {
  type Checkpoint,
  CheckpointError,
  Frontier,
  openCheckpoint,
  publicKeyText,
  readPublicKey,
  signCheckpoint,
  splitNotes,
} from "../tree.ts";
import type { AppendAudit } from "./append-audit.ts";
import { type NewAuditEvent, zoneAct } from "./audit-event.ts";

/** A place outside the zone that keeps checkpoints. An attacker with the database and the key must change this place too. */
export interface AuditAnchor {
  /** Rejects if the place did not accept the note. */
  readonly write: (origin: string, note: string) => Promise<void>;
  /** Returns the note of the largest tree of this origin. Undefined if there is none, or the place can't be read. */
  readonly latest: (origin: string) => Promise<string | undefined>;
}

const postTimeoutMs = 10_000;

/** Creates the anchor of a folder's path, with one file for each origin, or of an `https:` URL, which receives each note by POST. */
export function createAnchor(target: string): AuditAnchor {
  return target.startsWith("https:") ? createPostAnchor(target) : createFolderAnchor(target);
}

function createFolderAnchor(folder: string): AuditAnchor {
  const pathOf = (origin: string): string => join(folder, `${origin.replaceAll("/", "_")}.txt`);
  return {
    write: async (origin, note) => {
      await mkdir(folder, { recursive: true });
      await appendFile(pathOf(origin), note, { flush: true });
    },
    latest: async (origin) => {
      const text = await readFile(pathOf(origin), "utf8").catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return "";
        throw error;
      });
      return splitNotes(text).reduce<string | undefined>(larger, undefined);
    },
  };
}

function createPostAnchor(url: string): AuditAnchor {
  return {
    write: async (_origin, note) => {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "text/plain; charset=utf-8" },
        body: note,
        redirect: "error",
        signal: AbortSignal.timeout(postTimeoutMs),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`${new URL(url).host} answered with HTTP ${response.status}`);
    },
    latest: async () => undefined,
  };
}

/** Processes can write their notes in another order than they signed them. */
const larger = (one: string | undefined, other: string): string =>
  one !== undefined && sizeOf(one) > sizeOf(other) ? one : other;

const sizeOf = (note: string): Checkpoint["size"] => Number(note.split("\n")[1]);

type AuditTransaction = Transaction<AuditTables>;
type LogRow = Selectable<AuditLogTable>;

/** Signs heads of the tree. */
interface SequenceDeps {
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

export interface OpenLogOptions extends SequenceDeps {
  readonly zone: string;
  readonly anchor?: AuditAnchor | undefined;
}

/** An event of the log itself. */
export const logEvent = (zone: string, action: string, details: NewAuditEvent["details"]): NewAuditEvent =>
  zoneAct(zone, { action: `audit.${action}`, target: { type: "audit_log", id: zone }, details });

const newOrigin = (base: string): string => `${base}/${randomBytes(4).toString("hex")}`;

/** What a backup adds to the origin in its copy of the log's row. */
export const restoredMark = (at: string): string => ` ${at}`;

/** What a start found, and the details of its event. */
type LogRenewal = readonly [found: "restore" | "rekey", details: NonNullable<NewAuditEvent["details"]>];

/**
 * Creates the log's row at the first start. At others, gives the tree a new origin in two cases: the database was restored from a backup, because
 * it has the mark of one, is behind the anchor or differs from it; or the zone has another key. So no origin ever has two inconsistent checkpoints.
 */
export async function openLog(options: OpenLogOptions, append: AppendAudit): Promise<readonly LogRenewal[]> {
  const { database, key, zone, anchor } = options;
  const publicKey = publicKeyText(key);
  const first = { origin: newOrigin(`crosszone-audit/${zone}`), public_key: publicKey };
  const empty = { id: 1 as const, size: 0, frontier: "", base_size: 0, base_frontier: "" };
  await database.db
    .insertInto("audit_log")
    .values({ ...first, ...empty })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return database.transaction(async (tx) => {
    const row = await tx
      .selectFrom("audit_log")
      .selectAll()
      .modifyEnd(forUpdate(database.engine))
      .executeTakeFirstOrThrow();
    const [origin = "", copied_at] = row.origin.split(" ");
    const log = { ...row, origin };
    const anchored = await anchor?.latest(origin);
    const lost = anchored === undefined ? undefined : await findLost(tx, log, anchored);
    const found: LogRenewal[] = [];
    const differs = lost && describe(lost, "anchor");
    if (copied_at !== undefined) found.push(["restore", { copied_at, ...differs }]);
    else if (differs !== undefined) found.push(["restore", differs]);
    if (log.public_key !== publicKey) found.push(["rekey", { old_key: log.public_key, new_key: publicKey }]);
    if (found.length > 0) await renew(tx, log, { ...options, append, found });
    return found;
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

async function renew(
  tx: AuditTransaction,
  log: LogRow,
  {
    zone,
    key,
    append,
    found,
  }: OpenLogOptions & { readonly append: AppendAudit; readonly found: readonly LogRenewal[] },
): Promise<void> {
  const origin = newOrigin(log.origin.split("/").slice(0, 3).join("/"));
  await tx
    .updateTable("audit_log")
    .set({ origin, public_key: publicKeyText(key) })
    .execute();
  const root = Frontier.of(log.size, log.frontier).root().toString("base64");
  const kept = describe({ origin: log.origin, size: log.size, root }, "kept");
  const events = found.map(([action, details]) => logEvent(zone, action, { ...details, ...kept, origin }));
  await append(tx, events);
}
