import { now, type MigrationStep } from "@crosszone/sql";
import { sql, type Generated } from "kysely";

/**
 * Agents, by name. Rows may be imported by hand: an id, a name and an address are enough, and a row without a protocol speaks
 * `simple-a2a`, as every agent did before there was a choice. Times are Unix milliseconds, by the database's clock.
 */
export interface AgentTable {
  id: string;
  name: string;
  url: string;
  description: string | null;
  protocol: Generated<string>;
  /** `AgentProtocolConfig`, JSON. */
  protocol_config: string | null;
  /** The other members of `AgentSettings`, JSON. What is missing has its default. */
  settings: string | null;
  /** 0 or 1. */
  enabled: Generated<number>;
  source: Generated<"api" | "file">;
  revision: Generated<number>;
  created_at: Generated<number>;
  updated_at: Generated<number>;
}

/** What was changed at an agent, by whom. Secrets are not in it: an agent has only their names. */
export interface AgentAuditTable {
  id: Generated<number>;
  agent_name: string;
  /** The revision that came of it; of an agent that was deleted, its last one. */
  revision: number;
  at: Generated<number>;
  actor: string;
  action: "created" | "updated" | "disabled" | "enabled" | "deleted";
  correlation_id: string;
  /** `AgentSettings`, JSON; null where there was no agent. */
  before: string | null;
  /** `AgentSettings`, JSON; null where no agent is left. */
  after: string | null;
}

/** The tables of the registry, for the type of a zone's database. */
export interface AgentTables {
  agent: AgentTable;
  agent_audit: AgentAuditTable;
}

/** Makes the tables `agent` and `agent_audit` on either engine, and takes them away. */
export const agentsStep: MigrationStep = {
  up: async (db, engine) => {
    const present = sql`(${now(engine)})`;
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
      .execute();
    await db.schema.createIndex("agent_by_protocol").on("agent").column("protocol").execute();
    await db.schema
      .createTable("agent_audit")
      .addColumn("id", engine === "sqlite" ? "integer" : "bigserial", (column) => column.primaryKey())
      .addColumn("agent_name", "text", (column) => column.notNull())
      .addColumn("revision", "integer", (column) => column.notNull())
      .addColumn("at", "bigint", (column) => column.notNull().defaultTo(present))
      .addColumn("actor", "text", (column) => column.notNull())
      .addColumn("action", "text", (column) => column.notNull())
      .addColumn("correlation_id", "text", (column) => column.notNull())
      .addColumn("before", "text")
      .addColumn("after", "text")
      .execute();
    await db.schema.createIndex("agent_audit_by_name").on("agent_audit").columns(["agent_name", "id"]).execute();
  },
  down: async (db) => {
    await db.schema.dropTable("agent_audit").execute();
    await db.schema.dropTable("agent").execute();
  },
};
