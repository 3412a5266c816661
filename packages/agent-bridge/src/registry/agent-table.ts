import type { AuditTables } from "@crosszone/audit";
import { type MigrationStep, now, tablesStep } from "@crosszone/sql";
import { sql, type Generated } from "kysely";

/**
 * Agents, by name. Rows can be imported by hand: id, name and address are enough, and a row without a protocol means
 * `simple-a2a`, the first protocol. Times are Unix milliseconds, by the database's clock.
 */
export interface AgentTable {
  id: string;
  name: string;
  url: string;
  description: string | null;
  protocol: Generated<string>;
  /** `AgentProtocolConfig`, JSON. */
  protocol_config: string | null;
  /** The other members of `AgentSettings`, JSON. Missing members have their defaults. */
  settings: string | null;
  /** `AgentPrevious`, JSON; null when no rollback is possible. */
  previous: string | null;
  /** 0 or 1. */
  enabled: Generated<number>;
  source: Generated<"api" | "file">;
  revision: Generated<number>;
  created_at: Generated<number>;
  updated_at: Generated<number>;
}

export interface AgentMigrationTable {
  /** Grows with each migration. */
  seq: Generated<number>;
  id: string;
  at: Generated<number>;
  actor: string;
  to_protocol: string;
  /** 1 when agents without a `protocol` get `to_protocol` from now on, otherwise 0. */
  moves_default: number;
  /** Names of the moved agents, a JSON array. */
  agents: string;
  rolled_back_at: number | null;
}

/** The tables of the registry, for the type of a zone's database, with those of the audit log of its changes. */
export interface AgentTables extends AuditTables {
  agent: AgentTable;
  agent_migration: AgentMigrationTable;
}

/** Creates and drops the tables of the registry on either engine. */
export const agentsStep: MigrationStep = tablesStep(["agent", "agent_migration"], async (db, engine) => {
  const present = sql`(${now(engine)})`;
  const serial = engine === "sqlite" ? "integer" : "bigserial";
  await db.schema
    .createTable("agent")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull().unique())
    .addColumn("url", "text", (column) => column.notNull())
    .addColumn("description", "text")
    .addColumn("protocol", "text", (column) => column.notNull().defaultTo("simple-a2a"))
    .addColumn("protocol_config", "text")
    .addColumn("settings", "text")
    .addColumn("enabled", "integer", (column) => column.notNull().defaultTo(1))
    .addColumn("source", "text", (column) => column.notNull().defaultTo("api"))
    .addColumn("revision", "integer", (column) => column.notNull().defaultTo(1))
    .addColumn("created_at", "bigint", (column) => column.notNull().defaultTo(present))
    .addColumn("updated_at", "bigint", (column) => column.notNull().defaultTo(present))
    .addColumn("previous", "text")
    .execute();
  await db.schema.createIndex("agent_by_protocol").on("agent").column("protocol").execute();
  await db.schema
    .createTable("agent_migration")
    .addColumn("seq", serial, (column) => column.primaryKey())
    .addColumn("id", "text", (column) => column.notNull().unique())
    .addColumn("at", "bigint", (column) => column.notNull().defaultTo(present))
    .addColumn("actor", "text", (column) => column.notNull())
    .addColumn("to_protocol", "text", (column) => column.notNull())
    .addColumn("moves_default", "integer", (column) => column.notNull())
    .addColumn("agents", "text", (column) => column.notNull())
    .addColumn("rolled_back_at", "bigint")
    .execute();
});
