import type { MigrationStep } from "@crosszone/sql";
import type { Generated } from "kysely";
import type { InboxRecord } from "./inbox.ts";

/** The open records, and those that are parked. Digests: `digests.ts`; times: Unix milliseconds by the clock of the database. */
export interface InboxTable {
  /** The order in which records were accepted. */
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
  /** From when on it may be taken: while it waits, since it is there or when it is to be tried again; in work, when its lease ends. Null when parked. */
  due_at: number | null;
  /** How often it was taken. */
  attempt: Generated<number>;
  /** How many of these do not count: it was handed back. */
  uncounted: Generated<number>;
  /** The process that holds the lease. */
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

/** What the columns that may be sealed are sealed for: the row that they belong to. */
export const sealContexts = {
  record: ({ request_id }: Pick<InboxTable, "request_id">): string => `inbox.record ${request_id}`,
  answer: ({ request_id }: Pick<InboxTable, "request_id">): string => `inbox.answer ${request_id}`,
};

/** What was claimed. */
export interface ClaimsTable {
  digest: string;
  request_id: string;
  claimed_at: number;
}

/** Threads that the app takes part in, or was turned to in. */
export interface ThreadsTable {
  digest: string;
  team_id: string;
  /** 0 or 1. */
  joined: number;
  used_at: number;
  /** The agent that answers there when a message names none. */
  agent: string | null;
  /** The thread's id for agents, random. */
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
    // Whatever races, the database lets one record of a lane be in work.
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

/** Adds what a thread's conversation is known by, and removes it. */
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
