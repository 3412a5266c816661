import type { Generated, Kysely, Selectable } from "kysely";
import type { Engine } from "@crosszone/sql";
import { sql } from "kysely";

/**
 * Messages that were on their way between tasks, runs and agents when the zone's database was migrated to jobs. They can
 * be sealed, so processes with the keys make jobs of them when they start.
 */
export interface LeftMessageTable {
  /** Gives the order. */
  id: Generated<number>;
  /** `agent_tasks`, `agent_results` or `agent_cancellations`. */
  channel: string;
  /** The consumer group of the message: `agent-bridge`, `execution` or `workflow`. */
  receiver: string;
  /** The message, JSON, may be sealed. */
  value: string;
  /** The context that its sealing is bound to. */
  context: string;
  /** JSON. */
  headers: string;
  /** Digest of the team that owns the data. */
  team: string | null;
}

export type LeftMessage = Selectable<LeftMessageTable>;

export interface LeftMessageTables {
  left_message: LeftMessageTable;
}

export async function createLeftMessageTable(db: Kysely<never>, engine: Engine): Promise<void> {
  await db.schema
    .createTable("left_message")
    .addColumn("id", engine === "sqlite" ? "integer" : "bigint", (column) =>
      engine === "sqlite" ? column.primaryKey() : column.generatedAlwaysAsIdentity().primaryKey(),
    )
    .addColumn("channel", "text", (column) => column.notNull())
    .addColumn("receiver", "text", (column) => column.notNull())
    .addColumn("value", "text", (column) => column.notNull())
    .addColumn("context", "text", (column) => column.notNull())
    .addColumn("headers", "text", (column) => column.notNull())
    .addColumn("team", "text")
    .execute();
  await sql`create index left_message_by_team on left_message (team) where team is not null`.execute(db);
}
