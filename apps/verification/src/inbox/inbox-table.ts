import type { MigrationStep } from "@crosszone/sql";
import type { Generated } from "kysely";
import type { InboxRecord } from "./inbox.ts";

/** Open and parked records. Digests: `digests.ts`; times: Unix milliseconds of the database's clock. */
export interface InboxTable {
  /** The order of acceptance. */
  sequence: Generated<number>;
  request_id: string;
  kind: InboxRecord["kind"];
  team_id: string;
  /** Digest of kind and thread. */
  lane: string;
  /** Digest of the conversation. */
  channel: string;
  /** An `InboxRecord`, JSON; may be sealed. */
  record: string;
  state: "waiting" | "in_work" | "parked";
  /** When it can be leased. Waiting: when it arrived or is to be retried; in work: when its lease expires. Null when parked. */
  due_at: number | null;
  /** Number of leases. */
  attempt: Generated<number>;
  /** Number of leases that do not count as attempts, because the record was released. */
  uncounted: Generated<number>;
  /** The process with the lease. */
  owner: string | null;
  /** Progress. */
  placeholder: string | null;
  /** Progress: a `KeptAnswer`, JSON; may be sealed. */
  answer: string | null;
  /** Progress: 0 or 1. */
  attached: Generated<number>;
  /** The stop record that marked it. */
  stopped_by: string | null;
  accepted_at: number;
  parked_at: number | null;
  parked_because: string | null;
}

/** Returns the contexts that seal columns to their row. */
export const sealContexts = {
  record: ({ request_id }: Pick<InboxTable, "request_id">): string => `inbox.record ${request_id}`,
  answer: ({ request_id }: Pick<InboxTable, "request_id">): string => `inbox.answer ${request_id}`,
};

/** Claims of records. */
export interface ClaimsTable {
  digest: string;
  request_id: string;
  claimed_at: number;
}

/** Threads that the app takes part in, or in which someone addressed it. */
export interface ThreadsTable {
  digest: string;
  team_id: string;
  /** 0 or 1. */
  joined: number;
  used_at: number;
  /** The agent for messages that name none. */
  agent: string | null;
  /** The thread's random id for agents. */
  context_id: string | null;
}

export const inboxStep: MigrationStep = {
  up: async (db, engine) => {
    await db.schema
      .createTable("inbox")
      .addColumn("sequence", engine === "sqlite" ? "integer" : "bigserial", (column) => column.primaryKey())
      .addColumn("request_id", "text", (column) => column.notNull().unique())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("team_id", "text", (column) => column.notNull())
      .addColumn("lane", "text", (column) => column.notNull())
      .addColumn("channel", "text", (column) => column.notNull())
      .addColumn("record", "text", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("due_at", "bigint")
      .addColumn("attempt", "integer", (column) => column.notNull().defaultTo(0))
      .addColumn("uncounted", "integer", (column) => column.notNull().defaultTo(0))
      .addColumn("owner", "text")
      .addColumn("placeholder", "text")
      .addColumn("answer", "text")
      .addColumn("attached", "integer", (column) => column.notNull().defaultTo(0))
      .addColumn("stopped_by", "text")
      .addColumn("accepted_at", "bigint", (column) => column.notNull())
      .addColumn("parked_at", "bigint")
      .addColumn("parked_because", "text")
      .execute();
    await db.schema.createIndex("inbox_by_due").on("inbox").columns(["kind", "due_at"]).execute();
    await db.schema.createIndex("inbox_by_lane").on("inbox").columns(["lane", "sequence"]).execute();
    await db.schema.createIndex("inbox_by_channel").on("inbox").column("channel").execute();
    // A unique index allows only one record of a lane in work, whatever the race.
    await db.schema
      .createIndex("inbox_lane_in_work")
      .unique()
      .on("inbox")
      .column("lane")
      .where("state" as never, "=", "in_work")
      .execute();
    await db.schema
      .createTable("claim")
      .addColumn("digest", "text", (column) => column.primaryKey())
      .addColumn("request_id", "text", (column) => column.notNull())
      .addColumn("claimed_at", "bigint", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("claim_by_time").on("claim").column("claimed_at").execute();
    await db.schema
      .createTable("thread")
      .addColumn("digest", "text", (column) => column.primaryKey())
      .addColumn("team_id", "text", (column) => column.notNull())
      .addColumn("joined", "integer", (column) => column.notNull())
      .addColumn("used_at", "bigint", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("thread_by_use").on("thread").column("used_at").execute();
  },
  down: async (db) => {
    for (const table of ["thread", "claim", "inbox"]) await db.schema.dropTable(table).execute();
  },
};

/** Adds the columns of a thread's conversation; `down` removes them. */
export const threadAgentsStep: MigrationStep = {
  up: async (db) => {
    await db.schema.alterTable("thread").addColumn("agent", "text").execute();
    await db.schema.alterTable("thread").addColumn("context_id", "text").execute();
  },
  down: async (db) => {
    await db.schema.alterTable("thread").dropColumn("context_id").execute();
    await db.schema.alterTable("thread").dropColumn("agent").execute();
  },
};
