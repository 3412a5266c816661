import { authorAct, type AppendAudit, type Author, type NewAuditEvent } from "@crosszone/audit";
import type { AgentAuditEntry, AgentPrevious, AgentRecord } from "@crosszone/contracts";
import { now, type Engine } from "@crosszone/sql";
import type { Selectable, Transaction } from "kysely";
import { agentOf, columnsOf, isReadable, previousColumn } from "./agent-row.ts";
import { settingsOf, type FullSettings } from "./agent-settings.ts";
import type { AgentTable, AgentTables } from "./agent-table.ts";

/** An agent after a change. */
export interface AgentUpdate {
  readonly settings: FullSettings;
  readonly source: AgentRecord["source"];
  /** For the audit log. Derived from the settings by default. */
  readonly action?: AgentAuditEntry["action"];
  /** Why Crosszone makes the change. */
  readonly reason?: string;
  /** What a rollback restores; null for nothing. By default the protocol and URL before, when they change. */
  readonly previous?: AgentPrevious | null;
}

/** A change of an agent, for the audit log. */
export interface LoggedChange {
  readonly change: AgentAuditEntry["action"];
  readonly name: string;
  readonly revision: number;
  readonly before: FullSettings | null;
  readonly after: FullSettings | null;
  readonly reason?: string | undefined;
}

/** Returns the event of a change. Its content contains no secrets, only their names. */
export function agentAct(by: Author, { change, name, revision, before, after, reason }: LoggedChange): NewAuditEvent {
  return authorAct(by, {
    action: `agent.${change}`,
    target: { type: "agent", id: name },
    details: { revision },
    content: { before, after, reason },
  });
}

/** Changes an agent and logs it. Returns undefined when `from` is no longer the stored version. The name can't change. */
export async function updateAgent(
  {
    tx,
    engine,
    append,
  }: { readonly tx: Transaction<AgentTables>; readonly engine: Engine; readonly append: AppendAudit },
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
  const change = to.action ?? actionOf(before, settings);
  await append(tx, [agentAct(by, { change, ...row, before, after: settings, reason })]);
  return recordOf(row);
}

function actionOf(before: FullSettings, after: FullSettings): AgentAuditEntry["action"] {
  if (before.enabled === after.enabled) return "updated";
  return after.enabled ? "enabled" : "disabled";
}

/** Values are validated before they are written. */
export function recordOf(row: Selectable<AgentTable>): AgentRecord {
  const agent = agentOf(row);
  if (!isReadable(agent)) throw new Error(`the agent was stored but can't be read: ${agent.reason}`);
  return agent;
}
