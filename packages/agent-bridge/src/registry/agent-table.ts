import type { AgentAuditEntry } from "@crosszone/contracts";
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

/** Changes of agents, with their authors. Contains no secrets, only their names. */
export interface AgentAuditTable {
  id: Generated<number>;
  agent_name: string;
  /** The revision after the change; for a deleted agent, its last one. */
  revision: number;
  at: Generated<number>;
  actor: string;
  action: AgentAuditEntry["action"];
  correlation_id: string;
  /** `AgentSettings`, JSON; null for a new agent. */
  before: string | null;
  /** `AgentSettings`, JSON; null for a deleted agent. */
  after: string | null;
  /** Why Crosszone made the change; null for a change by a person or a file. */
  reason: string | null;
}

/** Migrations of agents to another protocol. */
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

/** The tables of the registry, for the type of a zone's database. */
export interface AgentTables {
  agent: AgentTable;
  agent_audit: AgentAuditTable;
  agent_migration: AgentMigrationTable;
}

/** Creates and drops the tables of the registry on either engine. */
export const agentsStep: MigrationStep = tablesStep(["agent", "agent_audit", "agent_migration"], async (db, engine) => {
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
    .createTable("agent_audit")
    .addColumn("id", serial, (column) => column.primaryKey())
    .addColumn("agent_name", "text", (column) => column.notNull())
    .addColumn("revision", "integer", (column) => column.notNull())
    .addColumn("at", "bigint", (column) => column.notNull().defaultTo(present))
    .addColumn("actor", "text", (column) => column.notNull())
    .addColumn("action", "text", (column) => column.notNull())
    .addColumn("correlation_id", "text", (column) => column.notNull())
    .addColumn("before", "text")
    .addColumn("after", "text")
    .addColumn("reason", "text")
    .execute();
  await db.schema.createIndex("agent_audit_by_name").on("agent_audit").columns(["agent_name", "id"]).execute();
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
