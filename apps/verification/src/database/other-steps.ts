import type { MigrationStep } from "@crosszone/sql";

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
