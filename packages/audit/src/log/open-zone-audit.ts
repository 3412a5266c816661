import { createPrivateKey, generateKeyPairSync, hkdfSync, type KeyObject, randomUUID } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AuditReceipt } from "@crosszone/contracts";
import {
  constant,
  createRecordCodec,
  type Emit,
  filePath,
  groupOf,
  nonEmpty,
  type OptionalVariable,
  variable,
  type Vault,
} from "@crosszone/service-kit";
import type { Database, OwnedData } from "@crosszone/sql";
import type { ProcessEvent } from "@crosszone/telemetry";
import { sql } from "kysely";
import type { AuditTables } from "../audit-tables.ts";
import { type ReadDeps, receiptOf } from "../read-audit.ts";
import { createAppendAudit } from "./append-audit.ts";
import { type NewAuditEvent, zoneAct } from "./audit-event.ts";
import { openAuditLog } from "./audit-log.ts";
import { createAnchor, restoredMark } from "./open-log.ts";

/** The variables of the audit log, for the configuration of an app. */
export const auditVariables: Readonly<Record<"AUDIT_KEY_FILE" | "AUDIT_ANCHOR", OptionalVariable<string>>> = groupOf(
  "Audit log",
  {
    AUDIT_KEY_FILE: variable(filePath().optional())`
      Ed25519 private key, PKCS#8 in PEM, that signs the audit log. Without it, the key is derived from the first of
      DATA_KEYS, or created in DATA_DIR.`,
    AUDIT_ANCHOR: variable(nonEmpty("a folder, or a URL that starts with https:").optional())`
      Where checkpoints of the audit log are also written: a folder, or an https URL that receives them by POST. Choose
      a place that an attacker of this zone can't change.`,
  },
);

export const auditConstants = {
  AUDIT_RETENTION_MS: constant(34_560_000_000, "ms")`Time that an audit event is kept: 400 days.`,
};

export interface AuditKeyConfig {
  readonly AUDIT_KEY_FILE?: string | undefined;
  readonly DATA_KEYS?: readonly string[] | undefined;
  readonly DATA_DIR: string;
}

/** https://www.rfc-editor.org/rfc/rfc8410#section-7: what comes before the 32 bytes of an Ed25519 key. */
const pkcs8 = Buffer.from("302e020100300506032b657004220420", "hex");

/**
 * Returns the zone's private key: of `AUDIT_KEY_FILE`, derived from the first of `DATA_KEYS`, or of a file in `DATA_DIR`, which is created.
 * Throws an `Error` when the file can't be read or has no Ed25519 key.
 */
export function readAuditKey(
  { AUDIT_KEY_FILE: file, DATA_KEYS: keys, DATA_DIR: folder }: AuditKeyConfig,
  zone: string,
): KeyObject {
  if (file !== undefined) return readKeyFile(file);
  const secret = keys?.[0]?.slice(keys[0].indexOf(":") + 1);
  if (secret === undefined) return readKeyFile(createKeyFile(folder, zone));
  const seed = hkdfSync("sha256", Buffer.from(secret, "base64"), "", `crosszone audit ${zone}`, 32);
  return createPrivateKey({ format: "der", type: "pkcs8", key: Buffer.concat([pkcs8, Buffer.from(seed)]) });
}

/** Returns another secret of a zone, 32 bytes, derived from its key. */
export const deriveSecret = (key: KeyObject, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", key.export({ format: "der", type: "pkcs8" }), "", `crosszone ${purpose}`, 32));

function readKeyFile(path: string): KeyObject {
  let key: KeyObject | undefined;
  try {
    key = createPrivateKey(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new Error(`The key of the audit log, ${path}, can't be read: ${(cause as Error).message}.`, { cause });
  }
  if (key.asymmetricKeyType === "ed25519") return key;
  throw new Error(
    `Expected an Ed25519 key in ${path}, got ${key.asymmetricKeyType}. Make one with: openssl genpkey -algorithm ed25519`,
  );
}

/** Returns the path of the key that a zone without another one creates for itself. */
export const ownKeyPath = (folder: string, zone: string): string => join(folder, `${zone}.audit-key.pem`);

/** Two processes can start at once: the link is made by one of them, with the whole key. */
function createKeyFile(folder: string, zone: string): string {
  const path = ownKeyPath(folder, zone);
  if (existsSync(path)) return path;
  const made = `${path}.${randomUUID()}`;
  mkdirSync(folder, { recursive: true });
  try {
    const { privateKey } = generateKeyPairSync("ed25519");
    writeFileSync(made, privateKey.export({ format: "pem", type: "pkcs8" }), { mode: 0o600, flag: "wx", flush: true });
    linkSync(made, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(made, { force: true });
  }
  return path;
}

/** Opens the audit log of a zone, and signs it while the process runs. */
export async function openZoneAudit<Tables extends AuditTables>(options: {
  readonly zone: string;
  readonly config: AuditKeyConfig & { readonly AUDIT_ANCHOR?: string | undefined; readonly AUDIT_RETENTION_MS: number };
  readonly database: Database<Tables>;
  readonly vault?: Vault | undefined;
  readonly emit: Emit<ProcessEvent>;
  /** True where every session is a separate machine: another process has the key and signs. */
  readonly onlyAppends?: boolean;
}) {
  const { zone, config, vault, emit, onlyAppends = false } = options;
  // A database with more tables also has these.
  const database = options.database as unknown as Database<AuditTables>;
  const codec = createRecordCodec(vault);
  const { AUDIT_ANCHOR: place, AUDIT_RETENTION_MS: retentionMs } = config;
  const anchor = place === undefined ? undefined : createAnchor(place);
  const read: ReadDeps = { database, codec };
  const proven = (eventId: string): Promise<AuditReceipt | undefined> => receiptOf(read, eventId);
  const log = onlyAppends
    ? undefined
    : await openAuditLog({ database, codec, key: readAuditKey(config, zone), anchor, zone, emit });
  const append = log?.append ?? createAppendAudit({ engine: database.engine, codec });
  return {
    append,
    record: (act: NewAuditEvent) => append(database.db, [act]),
    read: { ...read, sign: log?.sign },
    /** Returns the proof of an event; undefined for an unknown one. */
    receiptOf: async (eventId: string) => (await proven(eventId)) ?? log?.sign().then(() => proven(eventId)),
    purges: log === undefined ? [] : [{ table: "audit_event", purge: () => log.retain(Date.now() - retentionMs) }],
    /** Signs what waits. */
    close: async (): Promise<void> => log?.stop(),
  };
}

export type ZoneAudit = Awaited<ReturnType<typeof openZoneAudit>>;

/** Returns a zone's data, with what operators do to it in the zone's audit log before it begins. */
export function auditData<Tables>(
  data: OwnedData,
  zone: string,
  { db, engine }: Database<Tables>,
): OwnedData & { readonly markRestored: (at: string) => Promise<unknown> } {
  const append = createAppendAudit({ engine, codec: createRecordCodec(undefined) });
  const did = (action: string, id: string) => append(db, [zoneAct(zone, { action, target: { type: "team", id } })]);
  return {
    ...data,
    rows: async function* (team) {
      await did("data.export", team);
      yield* data.rows(team);
    },
    purge: async (team) => {
      await did("data.purge", team);
      return data.purge(team);
    },
    reseal: async () => {
      await did("data.reseal", "*");
      return data.reseal();
    },
    markRestored: (at) => sql`update audit_log set origin = origin || ${restoredMark(at)}`.execute(db),
  };
}
