import type { AuditReceipt } from "@crosszone/contracts";
import { createRecordCodec, type Emit, type Purge, type Vault } from "@crosszone/service-kit";
import type { Database, OwnedData } from "@crosszone/sql";
import type { ProcessEvent } from "@crosszone/telemetry";
import type { ReadDeps } from "../read/read-events.ts";
import { receiptOf } from "../read/receipt.ts";
import type { AuditTables } from "../table/audit-tables.ts";
import { createAnchor } from "./anchor.ts";
import { type AppendAudit, createAppendAudit } from "./append-audit.ts";
import type { NewAuditEvent } from "./audit-event.ts";
import { type AuditKeyConfig, readAuditKey } from "./audit-key.ts";
import { openAuditLog } from "./audit-log.ts";
import { zoneAct } from "./author-act.ts";

/** Appends an act that no transaction stores. */
export type RecordAct = (act: NewAuditEvent) => Promise<unknown>;

/** The audit log of a zone. */
export interface ZoneAudit {
  readonly append: AppendAudit;
  readonly record: RecordAct;
  readonly read: ReadDeps;
  /** Returns the proof of an event; undefined for an unknown one. */
  readonly receiptOf: (eventId: string) => Promise<AuditReceipt | undefined>;
  readonly purges: readonly Purge[];
  /** Signs what waits. */
  readonly close: () => Promise<void>;
}

interface ZoneAuditOptions<Tables extends AuditTables> {
  readonly zone: string;
  readonly config: AuditKeyConfig & { readonly AUDIT_ANCHOR?: string | undefined; readonly AUDIT_RETENTION_MS: number };
  readonly database: Database<Tables>;
  readonly vault?: Vault | undefined;
  readonly emit: Emit<ProcessEvent>;
  /** True where every session is a separate machine: another process has the key and signs. */
  readonly onlyAppends?: boolean;
}

/** Opens the audit log of a zone, and signs it while the process runs. */
export async function openZoneAudit<Tables extends AuditTables>(options: ZoneAuditOptions<Tables>): Promise<ZoneAudit> {
  const { zone, config, vault, emit, onlyAppends = false } = options;
  // A database with more tables also has these.
  const database = options.database as unknown as Database<AuditTables>;
  const codec = createRecordCodec(vault);
  const read = { database, codec };
  const recording = (append: AppendAudit): Pick<ZoneAudit, "append" | "record"> => ({
    append,
    record: (act) => append(database.db, [act]),
  });
  const proven = (eventId: string): Promise<AuditReceipt | undefined> => receiptOf(read, eventId);
  if (onlyAppends) {
    const append = createAppendAudit({ engine: database.engine, codec });
    return { ...recording(append), read, purges: [], receiptOf: proven, close: async () => undefined };
  }
  const { AUDIT_ANCHOR: place, AUDIT_RETENTION_MS: retentionMs } = config;
  const [key, anchor] = [readAuditKey(config, zone), place === undefined ? undefined : createAnchor(place)];
  const log = await openAuditLog({ database, codec, key, anchor, zone, emit });
  const purges = [{ table: "audit_event", purge: () => log.retain(Date.now() - retentionMs) }];
  const receipt = async (eventId: string) => (await proven(eventId)) ?? log.sign().then(() => proven(eventId));
  return { ...recording(log.append), read: { ...read, sign: log.sign }, purges, receiptOf: receipt, close: log.stop };
}

/** Returns a zone's data, with what operators do to it in the zone's audit log before it begins. */
export function auditData<Tables>(data: OwnedData, zone: string, { db, engine }: Database<Tables>): OwnedData {
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
  };
}
