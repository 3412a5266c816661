import { randomUUID } from "node:crypto";
import type { AgentRecord } from "@crosszone/contracts";
import { now, type Database } from "@crosszone/sql";
import type { Insertable, Selectable, Transaction } from "kysely";
import { agentOf, columnsOf, isReadable, type UnreadableAgent } from "./agent-row.ts";
import { settingsOf, type FullSettings } from "./agent-settings.ts";
import type { AgentAuditTable, AgentTable, AgentTables } from "./agent-table.ts";

/** Who changes an agent, for the audit trail. */
export interface Author {
  /** A name for a person, a token or a file; never a secret. */
  readonly actor: string;
  readonly correlationId: string;
}

export type AgentSource = AgentRecord["source"];

/**
 * Keeps agents and what was done to them. Each change is one transaction with its line of the audit trail. Nobody's change is
 * overwritten: who changes or removes an agent has read it before, and gets nothing when it is another by now.
 */
export interface AgentStore {
  /** Every agent, by name in the order of code points. */
  readonly all: () => Promise<readonly (AgentRecord | UnreadableAgent)[]>;
  readonly get: (name: string) => Promise<AgentRecord | UnreadableAgent | undefined>;
  /** Nothing when the name is taken. */
  readonly create: (settings: FullSettings, source: AgentSource, by: Author) => Promise<AgentRecord | undefined>;
  /** Nothing when `from` is not what is stored any more. The name stays. */
  readonly update: (
    from: AgentRecord,
    to: { readonly settings: FullSettings; readonly source: AgentSource },
    by: Author,
  ) => Promise<AgentRecord | undefined>;
  /** Whether it was removed. A row that cannot be read is removed whatever it is. */
  readonly remove: (from: AgentRecord | UnreadableAgent, by: Author) => Promise<boolean>;
  /** What was done to agents of this name, the latest first. Also of one that is gone. */
  readonly audit: (
    name: string,
    page: { readonly limit: number; readonly offset: number },
  ) => Promise<{ readonly entries: readonly Selectable<AgentAuditTable>[]; readonly total: number }>;
}

/** Keeps agents, and who changed them, in the zone's database. Every change is one transaction with its line of the audit trail. */
export function createAgentStore<Tables extends AgentTables>(database: Database<Tables>): AgentStore {
  // A database of more tables has these too.
  const { db, engine, transaction } = database as unknown as Database<AgentTables>;

  const log = async (
    tx: Transaction<AgentTables>,
    entry: Pick<Insertable<AgentAuditTable>, "action" | "agent_name" | "revision">,
    {
      before,
      after,
      by,
    }: { readonly before: FullSettings | null; readonly after: FullSettings | null; readonly by: Author },
  ): Promise<void> => {
    const sides = { before: before && JSON.stringify(before), after: after && JSON.stringify(after) };
    const line = { ...entry, ...sides, actor: by.actor, correlation_id: by.correlationId };
    await tx.insertInto("agent_audit").values(line).execute();
  };

  return {
    all: async () => {
      const rows = await db.selectFrom("agent").selectAll().execute();
      // The order of an engine is its own, and its locale's.
      return rows.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(agentOf);
    },

    get: async (name) => {
      const row = await db.selectFrom("agent").selectAll().where("name", "=", name).executeTakeFirst();
      return row && agentOf(row);
    },

    create: (settings, source, by) =>
      transaction(async (tx) => {
        const row = await tx
          .insertInto("agent")
          .values({ id: randomUUID(), ...columnsOf(settings), source })
          .onConflict((conflict) => conflict.column("name").doNothing())
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) return undefined;
        const entry = { action: "created", agent_name: row.name, revision: row.revision } as const;
        await log(tx, entry, { before: null, after: settings, by });
        return recordOf(row);
      }),

    update: (from, { settings, source }, by) =>
      transaction(async (tx) => {
        const before = settingsOf(from);
        const row = await tx
          .updateTable("agent")
          .set({ ...columnsOf({ ...settings, name: from.name }), source })
          .set((eb) => ({ revision: eb("revision", "+", 1), updated_at: now(engine) }))
          .where("id", "=", from.id)
          .where("revision", "=", from.revision)
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) return undefined;
        const entry = { action: actionOf(before, settings), agent_name: row.name, revision: row.revision };
        await log(tx, entry, { before, after: settings, by });
        return recordOf(row);
      }),

    remove: (from, by) =>
      transaction(async (tx) => {
        const { name } = from;
        const all = tx.deleteFrom("agent").where("name", "=", name);
        const same = isReadable(from) ? all.where("id", "=", from.id).where("revision", "=", from.revision) : all;
        const row = await same.returning("revision").executeTakeFirst();
        if (row === undefined) return false;
        const before = isReadable(from) ? settingsOf(from) : null;
        await log(tx, { action: "deleted", agent_name: name, ...row }, { before, after: null, by });
        return true;
      }),

    audit: async (name, { limit, offset }) => {
      const named = db.selectFrom("agent_audit").where("agent_name", "=", name);
      const { total } = await named.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
      const page = named.selectAll().orderBy("id", "desc").limit(limit).offset(offset);
      return { entries: await page.execute(), total };
    },
  };
}

function actionOf(before: FullSettings, after: FullSettings): AgentAuditTable["action"] {
  if (before.enabled === after.enabled) return "updated";
  return after.enabled ? "enabled" : "disabled";
}

/** What was valid when it was written is so when it is read. */
function recordOf(row: Selectable<AgentTable>): AgentRecord {
  const agent = agentOf(row);
  if (!isReadable(agent)) throw new Error(`the agent was stored and cannot be read: ${agent.reason}`);
  return agent;
}
