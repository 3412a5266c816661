import type { MigrationStep } from "@crosszone/sql";

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
