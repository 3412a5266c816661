import { tablesStep } from "@crosszone/sql";

/** An event of a task that a program asked: text or progress. */
export interface TaskEventTable {
  task_id: string;
  /** Larger than those of earlier events of the task. */
  seq: number;
  /** Unix milliseconds, by the database's clock. */
  at: number;
  /** Digest of the program that asked. */
  team: string | null;
  /** The event as JSON, sealed if `DATA_KEYS` is set. */
  event: string;
}

export interface TaskEventTables {
  task_event: TaskEventTable;
}

/** Creates and drops the table `task_event`. */
export const taskEventsStep = tablesStep(["task_event"], async (db) => {
  await db.schema
    .createTable("task_event")
    .addColumn("task_id", "text", (column) => column.notNull())
    .addColumn("seq", "bigint", (column) => column.notNull())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("team", "text")
    .addColumn("event", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("task_event_key", ["task_id", "seq"])
    .execute();
  await db.schema.createIndex("task_event_at").on("task_event").column("at").execute();
  await db.schema.createIndex("task_event_by_team").on("task_event").column("team").execute();
});
