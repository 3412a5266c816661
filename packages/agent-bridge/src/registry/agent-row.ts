import { type AgentPrevious, type AgentRecord, isAgentRecord, problemsOf } from "@crosszone/contracts";
import type { Insertable, Selectable } from "kysely";
import { agentDefaults, type FullSettings, isSameWay, wayOf } from "./agent-settings.ts";
import type { AgentTable } from "./agent-table.ts";

/** An invalid row of the table, for example one imported by hand. */
export interface UnreadableAgent {
  readonly name: string;
  /** Which columns are wrong, without their values. */
  readonly reason: string;
}

export function columnsOf(id: string, settings: FullSettings): Insertable<AgentTable> {
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
export function agentOf(row: Selectable<AgentTable>): AgentRecord | UnreadableAgent {
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
