import { randomUUID } from "node:crypto";
import { createRecordCodec } from "@crosszone/service-kit";
import { retryTransient } from "@crosszone/sql";
import { sequence } from "../log/open-log.ts";
import { appendTo, keyOf, newAct, openAuditDatabase } from "./open-audit.ts";

/** `node acts-program.ts <url> <acts>`: acts, with an event for each, and signs them in between. Prints `started`. */
const [url = "", acts = "0"] = process.argv.slice(2);
const database = await openAuditDatabase(url);
const append = appendTo(database);
const deps = { database: database as never, key: keyOf(1), codec: createRecordCodec(undefined) };
process.stdout.write("started\n");
for (let n = 0; n < Number(acts); n += 1) {
  const id = randomUUID();
  await retryTransient(() =>
    database.transaction(async (tx) => {
      await tx.insertInto("act").values({ id }).execute();
      await append(tx, [newAct(id, { content: { reason: id } })]);
    }),
  );
  if (n % 20 === 0) await retryTransient(() => sequence(deps));
}
await database.close();
