import { openDatabase } from "../open-database.ts";
import { noteMigrations } from "./note-migrations.ts";

/**
 * A process that opens the notes: `node open-notes-program.ts <url> <name> [stand]`. It writes one note, named after itself. With
 * `stand`, its migration does something, says so, and stands still.
 */
const [url = "", name = "", stand] = process.argv.slice(2);
const database = await openDatabase<{ note: { id: string; at: number } }>({
  url,
  schema: "notes",
  migrations: stand === undefined ? noteMigrations : { ...noteMigrations, "0002_stand": standingStep() },
});
await database.db.insertInto("note").values({ id: name, at: process.pid }).execute();
await database.close();

function standingStep(): (typeof noteMigrations)[string] {
  return {
    up: async (db) => {
      await db.schema.createTable("half").addColumn("id", "text").execute();
      process.stdout.write("standing\n");
      await new Promise((resolve) => setTimeout(resolve, 600_000));
    },
    down: async () => undefined,
  };
}
