import type { MigrationStep } from "@crosszone/sql";

/** When the streams of a workspace can begin and grow. */
export interface StreamPaceTable {
  team_id: string;
  /** 0 for the appends of all streams of the workspace; from 1, the place of one stream. */
  place: number;
  /** Unix milliseconds. */
  free_at: number;
}

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
