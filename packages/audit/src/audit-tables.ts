import { type MigrationStep, type OwnedTable, sqlStep } from "@crosszone/sql";
import type { Generated } from "kysely";

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

/** Creates and drops the tables of the audit log. */
export const auditStep: MigrationStep = sqlStep(
  (engine) => `
  create table audit_event (
    id ${engine === "sqlite" ? "integer primary key autoincrement" : "bigint generated always as identity primary key"},
    event_id text not null unique,
    position bigint unique,
    at bigint not null,
    action text not null,
    actor text not null,
    target text not null,
    outcome text not null,
    event text not null,
    leaf text not null
  );
  create index audit_event_waiting on audit_event (id) where position is null;
  create index audit_event_by_action on audit_event (action, id);
  create index audit_event_by_actor on audit_event (actor, id);
  create index audit_event_by_target on audit_event (target, id);
  create table audit_content (event_id text primary key, team text, record text not null);
  create index audit_content_by_team on audit_content (team) where team is not null;
  create table audit_tile (
    level integer not null,
    number bigint not null,
    hash text not null,
    constraint audit_tile_key primary key (level, number)
  );
  create table audit_checkpoint (size bigint primary key, at bigint not null, root text not null, note text not null);
  create table audit_log (
    id integer primary key,
    origin text not null,
    size bigint not null,
    frontier text not null,
    base_size bigint not null,
    base_frontier text not null,
    public_key text not null
  )`,
);

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
