import { contractOnSameTables } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { mostRows, rowsStatement } from "./rows-statement.ts";
import { openNotes } from "../testing/note-migrations.ts";

const columns = { id: "text", at: "bigint", text: "text" } as const;
const inserting = rowsStatement({
  columns,
  text: (rows) => `insert into note (id, at, text) select id, at, text from ${rows} order by at returning id`,
});

contractOnSameTables("a statement of many rows", (newDatabase) => {
  test.for([0, 1, 2, 3, 64, 65, mostRows(3), mostRows(3) + 1])(
    "writes all of %i unchanged, and no more",
    async (count) => {
      const { db, engine } = await openNotes(await newDatabase());
      const rows = Array.from({ length: count }, (_, at) => ({
        id: `${at}`,
        at,
        text: at % 2 === 0 ? null : `é"'${at}`,
      }));
      expect(await inserting(db, engine, rows)).toEqual(rows.map(({ id }) => ({ id })));
      expect(await db.selectFrom("note").select(["id", "at", "text"]).orderBy("at").execute()).toEqual(rows);
    },
  );
});
