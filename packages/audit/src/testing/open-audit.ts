import { createRecordCodec, type Vault } from "@crosszone/service-kit";
import { type Database, openDatabase, tablesStep } from "@crosszone/sql";
import { sql } from "kysely";
import { type AuditTables, auditStep, type NewAuditEvent } from "../index.ts";
import { createAppendAudit } from "../log/append-audit.ts";

/** Acts that are events too. */
export interface TestTables extends AuditTables {
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
  at: Date.UTC(2026, 10, 21),
  ...act,
});
