import type { AuditTables } from "@crosszone/audit";
import { type AgentPrevious, type AgentRecord, isAgentRecord, problemsOf } from "@crosszone/contracts";
import { type MigrationStep, nowText, sqlStep } from "@crosszone/sql";
import { type Generated, type Insertable, type Selectable } from "kysely";
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
  /** `AgentCardWords`, JSON: what the agent's card says; null before it was read, and without a card. */
  card: string | null;
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
export const agentsStep: MigrationStep = sqlStep((engine) => {
  const present = `bigint not null default (${nowText[engine]})`;
  return `
    create table agent (
      id text primary key, name text not null unique, url text not null, description text,
      protocol text not null default 'simple-a2a', protocol_config text, settings text,
      enabled integer not null default 1, source text not null default 'api', revision integer not null default 1,
      created_at ${present}, updated_at ${present}, previous text);
    create index agent_by_protocol on agent (protocol);
    create table agent_migration (
      seq ${engine === "sqlite" ? "integer" : "bigserial"} primary key, id text not null unique, at ${present},
      actor text not null, to_protocol text not null, moves_default integer not null, agents text not null,
      rolled_back_at bigint)`;
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
  let record: object;
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
      card: objectOf(row.card),
    };
  } catch {
    return { name, reason: "a column with JSON or a time can't be read" };
  }
  if (isAgentRecord(record)) return record;
  // What others say of an agent is no reason to lose it.
  const withoutWords = { ...record, card: undefined };
  if (isAgentRecord(withoutWords)) return withoutWords;
  const problems = problemsOf(isAgentRecord, record).map(({ pointer, message }) => `${pointer} ${message}`);
  return { name, reason: problems.join("; ") };
}

export function isReadableAgent(agent: AgentRecord | UnreadableAgent): agent is AgentRecord {
  return "id" in agent;
}

function objectOf(column: string | null): object | undefined {
  if (column === null) return undefined;
  const value: unknown = JSON.parse(column);
  // SQL also stores a JSON null.
  return typeof value === "object" && value !== null ? value : undefined;
}
