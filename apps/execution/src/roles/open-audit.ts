import {
  type AppendAudit,
  type AuditTables,
  createAnchor,
  createAppendAudit,
  openAuditLog,
  type ReadDeps,
  readAuditKey,
  receiptOf,
} from "@crosszone/audit";
import type { AuditReceipt } from "@crosszone/contracts";
import { createRecordCodec, type Emit, type Purge, type Vault } from "@crosszone/service-kit";
import type { Database } from "@crosszone/sql";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { ExecutionConfig } from "../config/config.ts";
import type { ExecutionDatabase } from "../database/open-execution-database.ts";

/** The audit log of the zone. */
export interface ZoneAudit {
  readonly append: AppendAudit;
  readonly read: ReadDeps;
  /** Returns the proof of an event; undefined for an unknown one. */
  readonly receiptOf: (eventId: string) => Promise<AuditReceipt | undefined>;
  readonly purges: readonly Purge[];
  /** Signs what waits. */
  readonly close: () => Promise<void>;
}

interface ZoneAuditOptions {
  readonly config: ExecutionConfig;
  readonly database: ExecutionDatabase;
  readonly vault?: Vault | undefined;
  readonly emit: Emit<ExecutionEvent>;
}

/**
 * Opens the audit log, and signs it while the process runs. Where every session is a separate machine, it only appends: a process of the
 * other roles has the key.
 */
export async function openZoneAudit({ config, database: opened, vault, emit }: ZoneAuditOptions): Promise<ZoneAudit> {
  // A database with more tables also has these.
  const database = opened as unknown as Database<AuditTables>;
  const codec = createRecordCodec(vault);
  const read = { database, codec };
  const proven = (eventId: string): Promise<AuditReceipt | undefined> => receiptOf(read, eventId);
  if (config.HOST_PROFILE === "agentcore") {
    const append = createAppendAudit({ engine: database.engine, codec });
    return { append, read, purges: [], receiptOf: proven, close: async () => undefined };
  }
  const { AUDIT_ANCHOR: place, AUDIT_RETENTION_MS: retentionMs } = config;
  const [key, anchor] = [readAuditKey(config, "execution"), place === undefined ? undefined : createAnchor(place)];
  const log = await openAuditLog({ database, codec, key, anchor, zone: "execution", emit });
  const purges = [{ table: "audit_event", purge: () => log.retain(Date.now() - retentionMs) }];
  const signed = async (eventId: string): Promise<AuditReceipt | undefined> => {
    await log.sign();
    return proven(eventId);
  };
  const receipt = async (eventId: string) => (await proven(eventId)) ?? signed(eventId);
  return { append: log.append, read, purges, receiptOf: receipt, close: log.stop };
}
