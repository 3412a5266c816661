import type { MigrationStep } from "@crosszone/sql";

/** Has the index of due records hold their order too, and puts the former one back: those of one moment need not be sorted. */
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
