import { randomUUID } from "node:crypto";
import {
  type AppendAudit,
  type Author,
  authorAct,
  createAppendAudit,
  type NewAuditEvent,
  readHistory,
} from "@crosszone/audit";
import type { AgentAuditEntry, AgentCardWords, AgentPrevious, AgentRecord } from "@crosszone/contracts";
import { createRecordCodec, type RecordCodec } from "@crosszone/service-kit";
import { type Database, now, storedBytes } from "@crosszone/sql";
import { type Selectable, sql, type Transaction } from "kysely";
import { agentDefaults, type FullSettings, settingsOf } from "./agent-settings.ts";
import {
  readAgentRow,
  type AgentTable,
  type AgentTables,
  agentColumns,
  isReadableAgent,
  previousColumn,
  type UnreadableAgent,
} from "./agent-table.ts";

/** A migration that was not rolled back. */
interface StoredMigration {
  readonly id: string;
  readonly to: string;
  /** Names of the moved agents. */
  readonly agents: readonly string[];
}

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

/** A change of one agent. */
export interface AgentStep {
  readonly from: AgentRecord;
  readonly to: AgentUpdate;
}

/** Another change came first. */
class Conflict extends Error {}

/**
 * Stores agents and their migrations. Each change and its audit event are one transaction; the agents of a migration are
 * changed in one transaction, all or none. Changes are optimistic: they fail if the agent has changed since it was read.
 */
export class AgentStore {
  readonly #database: Database<AgentTables>;
  readonly #append: AppendAudit;

  readonly #codec: RecordCodec;

  constructor(database: Database<AgentTables>, codec: RecordCodec) {
    this.#database = database;
    this.#append = createAppendAudit({ engine: database.engine, codec });
    this.#codec = codec;
  }

  /** Returns every agent, sorted by name in code point order. */
  async all(): Promise<readonly (AgentRecord | UnreadableAgent)[]> {
    const rows = await this.#database.db.selectFrom("agent").selectAll().execute();
    // Engines sort by their own collation.
    return rows.toSorted(byName).map(readAgentRow);
  }

  /** Returns the stored bytes of all agents. */
  async size(): Promise<number> {
    const columns = storedBytes("url", "description", "protocol_config", "settings", "previous", "card");
    const sum = sql<number | null>`sum(${columns})`.as("bytes");
    return (await this.#database.db.selectFrom("agent").select(sum).executeTakeFirst())?.bytes ?? 0;
  }

  async get(name: string): Promise<AgentRecord | UnreadableAgent | undefined> {
    const row = await this.#database.db.selectFrom("agent").selectAll().where("name", "=", name).executeTakeFirst();
    return row && readAgentRow(row);
  }

  /** Returns undefined when the name is taken. */
  create(settings: FullSettings, source: AgentRecord["source"], by: Author): Promise<AgentRecord | undefined> {
    return this.#database.transaction(async (tx) => {
      const row = await tx
        .insertInto("agent")
        .values({ ...agentColumns(randomUUID(), settings), source })
        .onConflict((conflict) => conflict.column("name").doNothing())
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) return undefined;
      await this.#append(tx, [agentAct(by, { change: "created", ...row, before: null, after: settings })]);
      return recordOf(row);
    });
  }

  /** Returns undefined when `from` is no longer the stored version. The name can't change. */
  update(from: AgentRecord, to: AgentUpdate, by: Author): Promise<AgentRecord | undefined> {
    return this.#database.transaction((tx) => this.#update(tx, { from, to }, by));
  }

  /** Returns whether the agent was removed. An unreadable row is removed unconditionally. */
  remove(from: AgentRecord | UnreadableAgent, by: Author): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const { name } = from;
      const all = tx.deleteFrom("agent").where("name", "=", name);
      const same = isReadableAgent(from) ? all.where("id", "=", from.id).where("revision", "=", from.revision) : all;
      const row = await same.returning("revision").executeTakeFirst();
      if (row === undefined) return false;
      const before = isReadableAgent(from) ? settingsOf(from) : null;
      await this.#append(tx, [agentAct(by, { change: "deleted", name, ...row, before, after: null })]);
      return true;
    });
  }

  /** Stores what the agent's card says, unless the agent has moved since. It is no setting, so the revision stays. */
  async keepCard({ id, url }: AgentRecord, words: AgentCardWords | null): Promise<void> {
    const card = words && JSON.stringify(words);
    const same = this.#database.db.updateTable("agent").set({ card }).where("id", "=", id).where("url", "=", url);
    await same.execute();
  }

  /** Returns the audit events of agents with this name, including deleted ones, the latest first. */
  history(name: string, page: Parameters<typeof readHistory>[2]): ReturnType<typeof readHistory> {
    return readHistory({ database: this.#database, codec: this.#codec }, { type: "agent", id: name }, page);
  }

  /** Returns the protocol of an agent that is registered without one. */
  async defaultProtocol(): Promise<string> {
    const row = await this.#migrations().where("moves_default", "=", 1).select("to_protocol").executeTakeFirst();
    return row?.to_protocol ?? agentDefaults.protocol;
  }

  async lastMigration(): Promise<StoredMigration | undefined> {
    const row = await this.#migrations().select(["id", "to_protocol", "agents"]).executeTakeFirst();
    return row && { id: row.id, to: row.to_protocol, agents: JSON.parse(row.agents) as string[] };
  }

  /** Returns the changed agents; undefined when one of them has changed since it was read. */
  migrate(
    { id, to, agents, movesDefault }: StoredMigration & { readonly movesDefault: boolean },
    steps: readonly AgentStep[],
    by: Author,
  ): Promise<AgentRecord[] | undefined> {
    const moved = { to_protocol: to, moves_default: movesDefault ? 1 : 0, agents: JSON.stringify(agents) };
    const row = { id, actor: by.actor, ...moved };
    const act = { action: "agents.migrate", target: { type: "migration", id }, details: { to, movesDefault } };
    return this.#changeAll(steps, by, async (tx) => {
      await tx.insertInto("agent_migration").values(row).execute();
      await this.#append(tx, [authorAct(by, act)]);
    });
  }

  /** Returns the changed agents; undefined when one has changed since it was read, or the migration was rolled back already. */
  rollBack({ id }: StoredMigration, steps: readonly AgentStep[], by: Author): Promise<AgentRecord[] | undefined> {
    return this.#changeAll(steps, by, async (tx) => {
      const marked = await tx
        .updateTable("agent_migration")
        .set({ rolled_back_at: now(this.#database.engine) })
        .where("id", "=", id)
        .where("rolled_back_at", "is", null)
        .returning("id")
        .executeTakeFirst();
      if (marked === undefined) throw new Conflict();
      await this.#append(tx, [authorAct(by, { action: "agents.roll_back", target: { type: "migration", id } })]);
    });
  }

  #migrations() {
    const { db } = this.#database;
    return db.selectFrom("agent_migration").where("rolled_back_at", "is", null).orderBy("seq", "desc").limit(1);
  }

  /** Changes an agent and logs it. Returns undefined when `from` is no longer the stored version. The name can't change. */
  async #update(tx: Transaction<AgentTables>, { from, to }: AgentStep, by: Author): Promise<AgentRecord | undefined> {
    const { settings, source, previous, reason } = to;
    const before = settingsOf(from);
    const row = await tx
      .updateTable("agent")
      .set(agentColumns(from.id, { ...settings, name: from.name }))
      .set({ previous: previousColumn(from, settings, previous), source })
      .set(from.url === settings.url ? {} : { card: null })
      .set((eb) => ({ revision: eb("revision", "+", 1), updated_at: now(this.#database.engine) }))
      .where("id", "=", from.id)
      .where("revision", "=", from.revision)
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const switched = settings.enabled ? "enabled" : "disabled";
    const change = to.action ?? (before.enabled === settings.enabled ? "updated" : switched);
    await this.#append(tx, [agentAct(by, { change, ...row, before, after: settings, reason })]);
    return recordOf(row);
  }

  /** Makes every change or none. Returns undefined when another change came first. */
  async #changeAll(
    steps: readonly AgentStep[],
    by: Author,
    mark: (tx: Transaction<AgentTables>) => Promise<unknown>,
  ): Promise<AgentRecord[] | undefined> {
    try {
      return await this.#database.transaction(async (tx) => {
        await mark(tx);
        const changed: AgentRecord[] = [];
        // In name order: PostgreSQL would abort one of two that lock in different orders.
        for (const step of steps.toSorted((a, b) => byName(a.from, b.from))) {
          const agent = await this.#update(tx, step, by);
          if (agent === undefined) throw new Conflict();
          changed.push(agent);
        }
        return changed;
      });
    } catch (error) {
      if (error instanceof Conflict) return undefined;
      throw error;
    }
  }
}

/** A change of an agent, for the audit log. */
interface LoggedChange {
  readonly change: AgentAuditEntry["action"];
  readonly name: string;
  readonly revision: number;
  readonly before: FullSettings | null;
  readonly after: FullSettings | null;
  readonly reason?: string | undefined;
}

/** Returns the event of a change. Its content contains no secrets, only their names. */
function agentAct(by: Author, { change, name, revision, before, after, reason }: LoggedChange): NewAuditEvent {
  return authorAct(by, {
    action: `agent.${change}`,
    target: { type: "agent", id: name },
    details: { revision },
    content: { before, after, reason },
  });
}

/** Values are validated before they are written. */
function recordOf(row: Selectable<AgentTable>): AgentRecord {
  const agent = readAgentRow(row);
  if (!isReadableAgent(agent)) throw new Error(`the agent was stored but can't be read: ${agent.reason}`);
  return agent;
}

const byName = ({ name: one }: { readonly name: string }, { name: other }: { readonly name: string }): number =>
  one < other ? -1 : 1;

/** Creates a store in the zone's database, which can have further tables. `codec`: seals what the audit log says of changes. */
export const createAgentStore = <Tables extends AgentTables>(
  database: Database<Tables>,
  codec: RecordCodec = createRecordCodec(undefined),
): AgentStore => new AgentStore(database as unknown as Database<AgentTables>, codec);
