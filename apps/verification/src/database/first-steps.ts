import type { Engine, MigrationStep } from "@crosszone/sql";
import type { Kysely } from "kysely";

export const handlesStep: MigrationStep = {
  up: async (db) => {
    await db.schema
      .createTable("handle")
      .addColumn("digest", "text", (column) => column.primaryKey())
      .addColumn("request_id", "text", (column) => column.notNull())
      .addColumn("team_id", "text", (column) => column.notNull())
      .addColumn("opens", "text", (column) => column.notNull())
      .addColumn("reads", "integer", (column) => column.notNull().defaultTo(0))
      .addColumn("expires_at", "bigint", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("handle_by_request").on("handle").column("request_id").execute();
    await db.schema.createIndex("handle_by_expiry").on("handle").column("expires_at").execute();
  },
  down: async (db) => {
    await db.schema.dropTable("handle").execute();
  },
};

export const installationsStep: MigrationStep = {
  up: async (db) => {
    await db.schema
      .createTable("installation")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("install", "text", (column) => column.notNull())
      .addColumn("enterprise_id", "text")
      .addColumn("bot_user_id", "text", (column) => column.notNull())
      .addColumn("bot_id", "text", (column) => column.notNull())
      .addColumn("scopes", "text", (column) => column.notNull())
      .addColumn("installed_by", "text", (column) => column.notNull())
      .addColumn("installed_at", "bigint", (column) => column.notNull())
      .addColumn("grant_sealed", "text", (column) => column.notNull())
      .addColumn("refresh_until", "bigint")
      .execute();
  },
  down: async (db) => {
    await db.schema.dropTable("installation").execute();
  },
};

export const spentStatesStep: MigrationStep = {
  up: async (db) => {
    await db.schema
      .createTable("spent_state")
      .addColumn("digest", "text", (column) => column.primaryKey())
      .addColumn("expires_at", "bigint", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("spent_state_by_expiry").on("spent_state").column("expires_at").execute();
  },
  down: async (db) => {
    await db.schema.dropTable("spent_state").execute();
  },
};

export const streamPaceStep: MigrationStep = {
  up: async (db) => {
    await db.schema
      .createTable("stream_pace")
      .addColumn("team_id", "text", (column) => column.notNull())
      .addColumn("place", "integer", (column) => column.notNull())
      .addColumn("free_at", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("stream_pace_key", ["team_id", "place"])
      .execute();
  },
  down: async (db) => {
    await db.schema.dropTable("stream_pace").execute();
  },
};

/** Creates the table of records before they were jobs. */
export async function createInboxTable(db: Kysely<never>, engine: Engine): Promise<void> {
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
}

export const inboxStep: MigrationStep = {
  up: async (db, engine) => {
    await createInboxTable(db, engine);
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

/** Adds the order to the index of due records, so that records of the same millisecond need no sort. `down` restores the old index. */
export const inboxOrderStep: MigrationStep = {
  up: async (db) => {
    await db.schema.dropIndex("inbox_by_due").execute();
    await db.schema.createIndex("inbox_in_order").on("inbox").columns(["kind", "due_at", "sequence"]).execute();
  },
  down: async (db) => {
    await db.schema.dropIndex("inbox_in_order").execute();
    await db.schema.createIndex("inbox_by_due").on("inbox").columns(["kind", "due_at"]).execute();
  },
};

/** Adds the table of what became of messages; `down` drops it. */
export const messagesStep: MigrationStep = {
  up: async (db) => {
    const table = db.schema.createTable("message").addColumn("reference", "text", (column) => column.primaryKey());
    await ["team_id", "channel", "thread_ts", "user_id", "state"]
      .reduce((columns, name) => columns.addColumn(name, "text", (column) => column.notNull()), table)
      .addColumn("rule", "text")
      .addColumn("reason", "text")
      .addColumn("attempts", "integer", (column) => column.notNull())
      .addColumn("received_at", "bigint", (column) => column.notNull())
      .addColumn("ended_at", "bigint", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("message_by_end").on("message").column("ended_at").execute();
  },
  down: async (db) => {
    await db.schema.dropTable("message").execute();
  },
};
