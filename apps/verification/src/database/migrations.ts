import { jobsStep } from "@crosszone/jobs";
import { joinSteps, type Migrations, tablesStep } from "@crosszone/sql";

const inboxStep = jobsStep(
  (table) =>
    table
      .addColumn("channel", "text", (column) => column.notNull())
      .addColumn("placeholder", "text")
      .addColumn("answer", "text")
      .addColumn("attached", "integer", (column) => column.notNull())
      .addColumn("stopped_by", "text")
      .addColumn("parked_because", "text")
      .addColumn("uncounted", "integer", (column) => column.notNull()),
  { indexes: ["create index job_by_channel on job (channel)"], long: ["answer"] },
);

const conversationsStep = tablesStep(["claim", "thread", "message"], async (db) => {
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
    .addColumn("used_at", "bigint", (column) => column.notNull())
    .addColumn("agent", "text")
    .addColumn("context_id", "text")
    .execute();
  await db.schema.createIndex("thread_by_use").on("thread").column("used_at").execute();
  const message = db.schema.createTable("message").addColumn("reference", "text", (column) => column.primaryKey());
  await ["team_id", "channel", "thread_ts", "user_id", "state"]
    .reduce((columns, name) => columns.addColumn(name, "text", (column) => column.notNull()), message)
    .addColumn("rule", "text")
    .addColumn("reason", "text")
    .addColumn("attempts", "integer", (column) => column.notNull())
    .addColumn("received_at", "bigint", (column) => column.notNull())
    .addColumn("ended_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("message_by_end").on("message").column("ended_at").execute();
});

const handlesStep = tablesStep(["handle"], async (db) => {
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
});

const workspacesStep = tablesStep(["installation", "spent_state", "stream_pace"], async (db) => {
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
  await db.schema
    .createTable("spent_state")
    .addColumn("digest", "text", (column) => column.primaryKey())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("spent_state_by_expiry").on("spent_state").column("expires_at").execute();
  await db.schema
    .createTable("stream_pace")
    .addColumn("team_id", "text", (column) => column.notNull())
    .addColumn("place", "integer", (column) => column.notNull())
    .addColumn("free_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("stream_pace_key", ["team_id", "place"])
    .execute();
});

/**
 * The zone's schema migrations, in order. Never change a released step; correct it in a later one. Name a step that only adds
 * `0000_add_…`: older builds work with it.
 */
export const verificationMigrations: Migrations = {
  "0001_tables": joinSteps(inboxStep, conversationsStep, handlesStep, workspacesStep),
};
