import { randomUUID } from "node:crypto";
import type { AgentRecord } from "@crosszone/contracts";
import type { Database } from "@crosszone/sql";
import type { Selectable } from "kysely";
import { agentOf, columnsOf, isReadable, type UnreadableAgent } from "./agent-row.ts";
import { settingsOf, type FullSettings } from "./agent-settings.ts";
import type { AgentAuditTable, AgentTables } from "./agent-table.ts";
import { createMigrationStore, type MigrationStore } from "./migration-store.ts";
import { logChange, recordOf, updateAgent, type AgentUpdate, type Author } from "./write-agent.ts";

export type AgentSource = AgentRecord["source"];

/**
 * Stores agents and their audit trail. Each change and its audit entry are one transaction. Changes are optimistic:
 * updating or removing an agent fails if it has changed since it was read.
 */
export interface AgentStore extends MigrationStore {
  /** Returns every agent, sorted by name in code point order. */
  readonly all: () => Promise<readonly (AgentRecord | UnreadableAgent)[]>;
  readonly get: (name: string) => Promise<AgentRecord | UnreadableAgent | undefined>;
  /** Returns undefined when the name is taken. */
  readonly create: (settings: FullSettings, source: AgentSource, by: Author) => Promise<AgentRecord | undefined>;
  /** Returns undefined when `from` is no longer the stored version. The name can't change. */
  readonly update: (from: AgentRecord, to: AgentUpdate, by: Author) => Promise<AgentRecord | undefined>;
  /** Returns whether the agent was removed. An unreadable row is removed unconditionally. */
  readonly remove: (from: AgentRecord | UnreadableAgent, by: Author) => Promise<boolean>;
  /** Returns the changes of agents with this name, including deleted ones, the latest first. */
  readonly audit: (
    name: string,
    page: { readonly limit: number; readonly offset: number },
  ) => Promise<{ readonly entries: readonly Selectable<AgentAuditTable>[]; readonly total: number }>;
}

/** Creates a store in the zone's database. */
export function createAgentStore<Tables extends AgentTables>(database: Database<Tables>): AgentStore {
  // The database can have further tables.
  const { db, engine, transaction } = database as unknown as Database<AgentTables>;

  return {
    all: async () => {
      const rows = await db.selectFrom("agent").selectAll().execute();
      // Engines sort by their own collation.
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
        await logChange(tx, entry, { before: null, after: settings, by });
        return recordOf(row);
      }),

    update: (from, to, by) => transaction((tx) => updateAgent({ tx, engine }, { from, to }, by)),

    remove: (from, by) =>
      transaction(async (tx) => {
        const { name } = from;
        const all = tx.deleteFrom("agent").where("name", "=", name);
        const same = isReadable(from) ? all.where("id", "=", from.id).where("revision", "=", from.revision) : all;
        const row = await same.returning("revision").executeTakeFirst();
        if (row === undefined) return false;
        const before = isReadable(from) ? settingsOf(from) : null;
        await logChange(tx, { action: "deleted", agent_name: name, ...row }, { before, after: null, by });
        return true;
      }),

    audit: async (name, { limit, offset }) => {
      const named = db.selectFrom("agent_audit").where("agent_name", "=", name);
      const { total } = await named.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
      const page = named.selectAll().orderBy("id", "desc").limit(limit).offset(offset);
      return { entries: await page.execute(), total };
    },

    ...createMigrationStore(database as unknown as Database<AgentTables>),
  };
}
