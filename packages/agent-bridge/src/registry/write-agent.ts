import type { AgentPrevious, AgentRecord } from "@crosszone/contracts";
import { now, type Engine } from "@crosszone/sql";
import type { Insertable, Selectable, Transaction } from "kysely";
import { agentOf, columnsOf, isReadable, previousColumn } from "./agent-row.ts";
import { settingsOf, type FullSettings } from "./agent-settings.ts";
import type { AgentAuditTable, AgentTable, AgentTables } from "./agent-table.ts";

/** The author of a change, for the audit trail. */
export interface Author {
  /** The name of a person, a token or a file; never a secret. */
  readonly actor: string;
  readonly correlationId: string;
}

/** An agent after a change. */
export interface AgentUpdate {
  readonly settings: FullSettings;
  readonly source: AgentRecord["source"];
  /** For the audit trail. Derived from the settings by default. */
  readonly action?: AgentAuditTable["action"];
  /** Why Crosszone makes the change. */
  readonly reason?: string;
  /** What a rollback restores; null for nothing. By default the protocol and URL before, when they change. */
  readonly previous?: AgentPrevious | null;
}

/** Writes an entry of the audit trail. */
export async function logChange(
  tx: Transaction<AgentTables>,
  entry: Pick<Insertable<AgentAuditTable>, "action" | "agent_name" | "revision" | "reason">,
  {
    before,
    after,
    by,
  }: { readonly before: FullSettings | null; readonly after: FullSettings | null; readonly by: Author },
): Promise<void> {
  const sides = { before: before && JSON.stringify(before), after: after && JSON.stringify(after) };
  const line = { ...entry, ...sides, actor: by.actor, correlation_id: by.correlationId };
  await tx.insertInto("agent_audit").values(line).execute();
}

/** Changes an agent and logs it. Returns undefined when `from` is no longer the stored version. The name can't change. */
export async function updateAgent(
  { tx, engine }: { readonly tx: Transaction<AgentTables>; readonly engine: Engine },
  { from, to }: { readonly from: AgentRecord; readonly to: AgentUpdate },
  by: Author,
): Promise<AgentRecord | undefined> {
  const { settings, source, previous, reason } = to;
  const before = settingsOf(from);
  const row = await tx
    .updateTable("agent")
    .set(columnsOf(from.id, { ...settings, name: from.name }))
    .set({ previous: previousColumn(from, settings, previous), source })
    .set((eb) => ({ revision: eb("revision", "+", 1), updated_at: now(engine) }))
    .where("id", "=", from.id)
    .where("revision", "=", from.revision)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const action = to.action ?? actionOf(before, settings);
  const entry = { action, agent_name: row.name, revision: row.revision, reason };
  await logChange(tx, entry, { before, after: settings, by });
  return recordOf(row);
}

function actionOf(before: FullSettings, after: FullSettings): AgentAuditTable["action"] {
  if (before.enabled === after.enabled) return "updated";
  return after.enabled ? "enabled" : "disabled";
}

/** Values are validated before they are written. */
export function recordOf(row: Selectable<AgentTable>): AgentRecord {
  const agent = agentOf(row);
  if (!isReadable(agent)) throw new Error(`the agent was stored but can't be read: ${agent.reason}`);
  return agent;
}
