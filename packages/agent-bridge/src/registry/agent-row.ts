import { type AgentPrevious, type AgentRecord, isAgentRecord, problemsOf } from "@crosszone/contracts";
import type { Selectable } from "kysely";
import { agentDefaults, canaryWay, type FullSettings, isSameWay, wayOf } from "./agent-settings.ts";
import type { AgentTable } from "./agent-table.ts";

/** An invalid row of the table, for example one imported by hand. */
export interface UnreadableAgent {
  readonly name: string;
  /** Which columns are wrong, without their values. */
  readonly reason: string;
}

/** Returns settings as columns, without the canary; see `moveColumns`. */
export function columnsOf(
  settings: FullSettings,
): Pick<
  Selectable<AgentTable>,
  "name" | "url" | "description" | "protocol" | "protocol_config" | "settings" | "enabled"
> {
  const { name, url, description, protocol, protocol_config, enabled, canary: _canary, ...others } = settings;
  return {
    name,
    url,
    description,
    protocol,
    protocol_config: JSON.stringify(protocol_config),
    settings: JSON.stringify(others),
    enabled: enabled ? 1 : 0,
  };
}

/**
 * Returns the columns that depend on how protocol, URL and canary change. `previous` is what a rollback restores; by default the protocol
 * and URL of `from`, when they change.
 */
export function moveColumns(
  from: AgentRecord | undefined,
  to: FullSettings,
  previous?: AgentPrevious | null,
): Pick<Selectable<AgentTable>, "canary" | "previous"> {
  const at = new Date().toISOString();
  const isMoved = from !== undefined && !isSameWay(from, to);
  const former = from === undefined ? undefined : isMoved ? { ...wayOf(from), at } : from.previous;
  const kept = previous === undefined ? former : previous;
  const isSameTrial = from?.canary !== undefined && !isMoved && isSameWay(canaryWay(from), canaryWay(to));
  const since = isSameTrial ? from.canary_since : at;
  return {
    canary: to.canary === undefined ? null : JSON.stringify({ ...to.canary, since }),
    previous: kept == null ? null : JSON.stringify(kept),
  };
}

/** Reads a row; missing values get their defaults. */
export function agentOf(row: Selectable<AgentTable>): AgentRecord | UnreadableAgent {
  const { name } = row;
  let record: unknown;
  try {
    const { since, ...canary } = (objectOf(row.canary) ?? {}) as { readonly since?: unknown };
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
      ...(since !== undefined && { canary, canary_since: since }),
      ...(previous !== undefined && { previous }),
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
