import { createPrivateKey, type KeyObject } from "node:crypto";
import { createRecordCodec, type Vault } from "@crosszone/service-kit";
import { type Database, openDatabase, tablesStep } from "@crosszone/sql";
import { sql } from "kysely";
import {
  type AuditAnchor,
  type AuditLogOptions,
  type AuditTables,
  auditStep,
  exportAudit,
  type NewAuditEvent,
  openAuditLog,
} from "../index.ts";
import { createAppendAudit } from "../log/append-audit.ts";
import { readPublicKey } from "../tree.ts";

/** Acts that are events too. */
interface TestTables extends AuditTables {
  act: { id: string };
}

export function openAuditDatabase(url: string): Promise<Database<TestTables>> {
  const acts = tablesStep(["act"], async (db) => {
    await sql`create table act (id text primary key)`.execute(db);
  });
  return openDatabase<TestTables>({ url, schema: "audit", migrations: { "0001_audit": auditStep, "0002_act": acts } });
}

export const appendTo = ({ engine }: Database<TestTables>, vault?: Vault) =>
  createAppendAudit({ engine, codec: createRecordCodec(vault) });

export const newAct = (id: string, act: Partial<NewAuditEvent> = {}): NewAuditEvent => ({
  action: "test.act",
  outcome: "done",
  actor: { type: "person", id: "U1", team: "T1" },
  target: { type: "test", id },
  surface: "cli",
  at: Date.now(),
  ...act,
});

/** A private key, the same each time for a number. */
export const keyOf = (number: number): KeyObject =>
  createPrivateKey({
    format: "der",
    type: "pkcs8",
    key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, number)]),
  });

/** A log that signs only when told. Ends with the test. */
export async function openTestLog(
  database: Database<TestTables>,
  {
    key = keyOf(1),
    anchor,
    vault,
  }: { readonly key?: KeyObject; readonly anchor?: AuditAnchor; readonly vault?: Vault } = {},
) {
  const events: [string, Readonly<Record<string, unknown>>][] = [];
  const emit = ((name: string, fields: Readonly<Record<string, unknown>>) =>
    void events.push([name, fields])) as AuditLogOptions["emit"];
  const codec = createRecordCodec(vault);
  // The tables of a test are more than those of the log.
  const own = database as unknown as Database<AuditTables>;
  const log = await openAuditLog({ database: own, zone: "test", key, codec, emit, anchor, everyMs: 3_600_000 });
  const deps = { database: own, codec };
  const append = (...acts: readonly NewAuditEvent[]) => database.transaction((tx) => log.append(tx, acts));
  const lines = async (): Promise<string[]> =>
    (await Array.fromAsync(exportAudit(deps))).join("").split("\n").slice(0, -1);
  return { ...log, deps, append, lines, emitted: events, keys: [readPublicKey(log.publicKey)] };
}

/** Appends `count` events, numbered on, and signs them. */
export async function fill({ append, sign }: Awaited<ReturnType<typeof openTestLog>>, from: number, count: number) {
  const acts = Array.from({ length: count }, (_, n) =>
    newAct(`${from + n}`, { content: { reason: `why ${from + n}` } }),
  );
  for (let at = 0; at < count; at += 1_000) await append(...acts.slice(at, at + 1_000));
  await sign();
}
