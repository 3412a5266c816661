import { type MigrationStep, type OwnedTable, tablesStep } from "@crosszone/sql";
import { type Generated, sql } from "kysely";

/** One row: the tree as far as it is signed. */
export interface AuditLogTable {
  id: 1;
  origin: string;
  size: number;
  /** The hashes of the largest complete subtrees, left to right, base64 with spaces between them. */
  frontier: string;
  /** The number of events that retention removed, and the frontier of the tree of that size. */
  base_size: number;
  base_frontier: string;
  /** The public key of the latest checkpoints, base64. */
  public_key: string;
}

export interface AuditTables {
  /** One act. Times are Unix milliseconds. `event` and `leaf` never change. */
  audit_event: {
    /** The order of insertion. Events can become visible in another order. */
    id: Generated<number>;
    event_id: string;
    /** The place in the tree; null until a checkpoint covers the event. */
    position: number | null;
    at: number;
    action: string;
    /** `type:id`. */
    actor: string;
    /** `type:id`. */
    target: string;
    outcome: string;
    /** The event as canonical JSON. */
    event: string;
    /** The hash of the event, base64. */
    leaf: string;
  };
  /** The personal or secret text of an event. Deleting the row erases it, and the event still verifies. */
  audit_content: {
    event_id: string;
    /** The actor's team, as the event has it. */
    team: string | null;
    /** `{salt, members}` as JSON, sealed if the zone has a vault. */
    record: string;
  };
  /** The hashes of complete subtrees of 256 ** `level` events. They outlive the events. */
  audit_tile: { level: number; number: number; hash: string };
  audit_checkpoint: {
    size: number;
    at: number;
    /** base64. */
    root: string;
    /** https://c2sp.org/tlog-checkpoint */
    note: string;
  };
  audit_log: AuditLogTable;
}

const names = ["audit_event", "audit_content", "audit_tile", "audit_checkpoint", "audit_log"];

/** Creates and drops the tables of the audit log. */
export const auditStep: MigrationStep = tablesStep(names, async (db, engine) => {
  await db.schema
    .createTable("audit_event")
    .addColumn("id", engine === "sqlite" ? "integer" : "bigint", (column) =>
      engine === "sqlite" ? column.primaryKey().autoIncrement() : column.generatedAlwaysAsIdentity().primaryKey(),
    )
    .addColumn("event_id", "text", (column) => column.notNull().unique())
    .addColumn("position", "bigint", (column) => column.unique())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("action", "text", (column) => column.notNull())
    .addColumn("actor", "text", (column) => column.notNull())
    .addColumn("target", "text", (column) => column.notNull())
    .addColumn("outcome", "text", (column) => column.notNull())
    .addColumn("event", "text", (column) => column.notNull())
    .addColumn("leaf", "text", (column) => column.notNull())
    .execute();
  await sql`create index audit_event_waiting on audit_event (id) where position is null`.execute(db);
  for (const column of ["action", "actor", "target"])
    await sql`create index ${sql.id(`audit_event_by_${column}`)} on audit_event (${sql.id(column)}, id)`.execute(db);
  await db.schema
    .createTable("audit_content")
    .addColumn("event_id", "text", (column) => column.primaryKey())
    .addColumn("team", "text")
    .addColumn("record", "text", (column) => column.notNull())
    .execute();
  await sql`create index audit_content_by_team on audit_content (team) where team is not null`.execute(db);
  await db.schema
    .createTable("audit_tile")
    .addColumn("level", "integer", (column) => column.notNull())
    .addColumn("number", "bigint", (column) => column.notNull())
    .addColumn("hash", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("audit_tile_key", ["level", "number"])
    .execute();
  await db.schema
    .createTable("audit_checkpoint")
    .addColumn("size", "bigint", (column) => column.primaryKey())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("root", "text", (column) => column.notNull())
    .addColumn("note", "text", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("audit_log")
    .addColumn("id", "integer", (column) => column.primaryKey())
    .addColumn("origin", "text", (column) => column.notNull())
    .addColumn("size", "bigint", (column) => column.notNull())
    .addColumn("frontier", "text", (column) => column.notNull())
    .addColumn("base_size", "bigint", (column) => column.notNull())
    .addColumn("base_frontier", "text", (column) => column.notNull())
    .addColumn("public_key", "text", (column) => column.notNull())
    .execute();
});

/** The context that the content of an event is sealed in. */
export const contentContext = (eventId: string): string => `audit_content record ${eventId}`;

/** The erasable content, for exports and purges of a team's data. */
export const auditContentData: OwnedTable = {
  name: "audit_content",
  owner: "team",
  key: ["event_id"],
  holds: "personal text of audit events",
  content: { record: "record" },
  sealed: { record: ({ event_id: id }) => contentContext(String(id)) },
};

/** The other tables, with the reason why no row belongs to a team. */
export const auditTablesOfNoTeam: Readonly<Record<string, string>> = {
  audit_event: "who did what: it is proof, and its text is in audit_content",
  audit_tile: "hashes of removed audit events",
  audit_checkpoint: "signed heads of the audit log",
  audit_log: "the head of the audit log",
};
