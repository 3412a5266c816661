import type { AuditTables } from "@crosszone/audit";
import { type AgentPrevious, type AgentRecord, isAgentRecord, problemsOf } from "@crosszone/contracts";
import { type MigrationStep, now, tablesStep } from "@crosszone/sql";
import { type Generated, type Insertable, type Selectable, sql } from "kysely";
import { agentDefaults, type FullSettings, isSameWay, wayOf } from "./agent-settings.ts";

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

interface AgentMigrationTable {
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

/** An invalid row of the table, for example one imported by hand. */
export interface UnreadableAgent {
  readonly name: string;
  /** Which columns are wrong, without their values. */
  readonly reason: string;
}

export function agentColumns(id: string, settings: FullSettings): Insertable<AgentTable> {
  const { name, url, description, protocol, protocol_config, enabled, ...others } = settings;
  const json = { protocol_config: JSON.stringify(protocol_config), settings: JSON.stringify(others) };
  return { id, name, url, description, protocol, ...json, enabled: enabled ? 1 : 0 };
}

/** Returns what a rollback restores after a change: by default the protocol and URL of `from`, when they change. */
export function previousColumn(from: AgentRecord, to: FullSettings, previous?: AgentPrevious | null): string | null {
  const former = isSameWay(from, to) ? from.previous : { ...wayOf(from), at: new Date().toISOString() };
  const kept = previous === undefined ? former : previous;
  return kept == null ? null : JSON.stringify(kept);
}

/** Reads a row; missing values get their defaults. */
export function readAgentRow(row: Selectable<AgentTable>): AgentRecord | UnreadableAgent {
  const { name } = row;
  let record: unknown;
  try {
    const previous = objectOf(row.previous);
    record = {
      ...agentDefaults,
      ...objectOf(row.settings),
      id: row.id,
      name,
      url: row.url,
      description: row.description ?? agentDefaults.description,
      protocol: row.protocol,
      protocol_config: objectOf(row.protocol_config) ?? agentDefaults.protocol_config,
      enabled: row.enabled !== 0,
      source: row.source,
      revision: row.revision,
      created_at: new Date(row.created_at).toISOString(),
      updated_at: new Date(row.updated_at).toISOString(),
      previous,
    };
  } catch {
    return { name, reason: "a column with JSON or a time can't be read" };
  }
  if (isAgentRecord(record)) return record;
  const problems = problemsOf(isAgentRecord, record).map(({ pointer, message }) => `${pointer} ${message}`);
  return { name, reason: problems.join("; ") };
}

export function isReadable(agent: AgentRecord | UnreadableAgent): agent is AgentRecord {
  return "id" in agent;
}

function objectOf(column: string | null): object | undefined {
  if (column === null) return undefined;
  const value: unknown = JSON.parse(column);
  // SQL also stores a JSON null.
  return typeof value === "object" && value !== null ? value : undefined;
}
