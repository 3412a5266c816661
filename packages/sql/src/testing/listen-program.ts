import { sql } from "kysely";
import { notifyText } from "../query/dialect.ts";
import { openDatabase } from "../open-database.ts";
import { noteMigrations } from "./note-migrations.ts";

/** A process that listens to the channel `note`: `node listen-program.ts <url>`. It writes a note for each message: `missed` or the payload. */
const database = await openDatabase<{ note: { id: string; at: number; text: string } }>({
  url: process.argv[2] ?? "",
  schema: "notes",
  migrations: noteMigrations,
});
const { db, engine } = database;
await database.listen("note", (payload) => process.stdout.write(`${payload ?? "look"}\n`));
process.stdout.write("listening\n");
process.stdin.on("data", (line) => {
  const id = String(line).trim();
  const add = sql`insert into note (id, at) values (${id}, 1)`;
  const write =
    engine === "sqlite"
      ? add
      : sql`with added as (${add} returning id) select ${sql.raw(notifyText(engine, "note", "id"))} from added`;
  void write.execute(db);
});
process.stdin.on("end", () => void database.close());
