import { randomUUID } from "node:crypto";
import type { AgentRecord } from "@crosszone/contracts";
import { now, type Database } from "@crosszone/sql";
import type { Transaction } from "kysely";
import { agentDefaults } from "./agent-settings.ts";
import type { AgentTables } from "./agent-table.ts";
import { updateAgent, type AgentUpdate, type Author } from "./write-agent.ts";

/** A change of one agent. */
export interface AgentStep {
  readonly from: AgentRecord;
  readonly to: AgentUpdate;
}

/** A migration that was not rolled back. */
export interface StoredMigration {
  readonly id: string;
  readonly to: string;
  /** Names of the moved agents. */
  readonly agents: readonly string[];
}

/** A migration to store. */
export interface NewMigration {
  readonly to: string;
  readonly movesDefault: boolean;
  readonly agents: readonly AgentRecord[];
  /** Returns how an agent is after the migration. */
  readonly stepOf: (agent: AgentRecord, id: string) => AgentUpdate;
}

/** Stores migrations: the agents of one are changed in one transaction, all or none. */
export interface MigrationStore {
  /** Returns the protocol of an agent that is registered without one. */
  readonly defaultProtocol: () => Promise<string>;
  /** Returns the id and the changed agents; undefined when one of them has changed since it was read. */
  readonly migrate: (
    migration: NewMigration,
    by: Author,
  ) => Promise<{ readonly id: string; readonly agents: readonly AgentRecord[] } | undefined>;
  readonly lastMigration: () => Promise<StoredMigration | undefined>;
  /** Returns the changed agents; undefined when one has changed since it was read, or the migration was rolled back already. */
  readonly rollBack: (
    migration: StoredMigration,
    steps: readonly AgentStep[],
    by: Author,
  ) => Promise<readonly AgentRecord[] | undefined>;
}

/** Another change came first. */
class Conflict extends Error {}

export function createMigrationStore({ db, engine, transaction }: Database<AgentTables>): MigrationStore {
  const open = db.selectFrom("agent_migration").where("rolled_back_at", "is", null).orderBy("seq", "desc").limit(1);

  /** Makes every change or none. */
  async function allOrNone<Result>(
    work: (
      change: (step: AgentStep, by: Author) => Promise<AgentRecord>,
      tx: Transaction<AgentTables>,
    ) => Promise<Result>,
  ): Promise<Result | undefined> {
    try {
      return await transaction(async (tx) => {
        const change = async (step: AgentStep, by: Author): Promise<AgentRecord> => {
          const agent = await updateAgent({ tx, engine }, step, by);
          if (agent === undefined) throw new Conflict();
          return agent;
        };
        return await work(change, tx);
      });
    } catch (error) {
      if (error instanceof Conflict) return undefined;
      throw error;
    }
  }

  return {
    defaultProtocol: async () => {
      const row = await open.where("moves_default", "=", 1).select("to_protocol").executeTakeFirst();
      return row?.to_protocol ?? agentDefaults.protocol;
    },

    migrate: ({ to, movesDefault, agents, stepOf }, by) =>
      allOrNone(async (change, tx) => {
        const id = randomUUID();
        const names = JSON.stringify(agents.map(({ name }) => name));
        await tx
          .insertInto("agent_migration")
          .values({ id, actor: by.actor, to_protocol: to, moves_default: movesDefault ? 1 : 0, agents: names })
          .execute();
        const changed: AgentRecord[] = [];
        // In name order: PostgreSQL would abort one of two that lock in different orders.
        for (const from of agents.toSorted(byName)) changed.push(await change({ from, to: stepOf(from, id) }, by));
        return { id, agents: changed };
      }),

    lastMigration: async () => {
      const row = await open.select(["id", "to_protocol", "agents"]).executeTakeFirst();
      return row && { id: row.id, to: row.to_protocol, agents: JSON.parse(row.agents) as string[] };
    },

    rollBack: ({ id }, steps, by) =>
      allOrNone(async (change, tx) => {
        const marked = await tx
          .updateTable("agent_migration")
          .set({ rolled_back_at: now(engine) })
          .where("id", "=", id)
          .where("rolled_back_at", "is", null)
          .returning("id")
          .executeTakeFirst();
        if (marked === undefined) throw new Conflict();
        const changed: AgentRecord[] = [];
        for (const step of steps.toSorted((a, b) => byName(a.from, b.from))) changed.push(await change(step, by));
        return changed;
      }),
  };
}

const byName = ({ name: one }: AgentRecord, { name: other }: AgentRecord): number => (one < other ? -1 : 1);
