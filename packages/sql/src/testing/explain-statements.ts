import { RawNode, type Kysely, type KyselyPlugin } from "kysely";

/** Returns a database of PostgreSQL that runs each statement under `explain analyze`. It takes effect but returns no rows. */
export function explainStatements<Tables>(db: Kysely<Tables>) {
  const lines: string[] = [];
  const explain: KyselyPlugin = {
    transformQuery: ({ node }) =>
      RawNode.create(["explain (analyze, costs off, timing off, summary off, buffers off) ", ""], [node]),
    transformResult: async ({ result }) => {
      lines.push(...result.rows.map((row) => String(row["QUERY PLAN"])));
      return { ...result, rows: [] };
    },
  };
  /** The plans so far, with the row counts of their execution. */
  const plan = () => lines.join("\n");
  return {
    db: db.withPlugin(explain),
    plan,
    /** The largest number of rows or loops in any node of the plans. */
    mostRows: () =>
      Math.max(...[...plan().matchAll(/(?:rows=|loops=|Removed by [\w ]+: )(\d+)/g)].map(([, count]) => Number(count))),
  };
}
