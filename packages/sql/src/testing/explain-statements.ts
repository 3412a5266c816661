import { RawNode, type Kysely, type KyselyPlugin } from "kysely";

/** Plans of statements that ran on PostgreSQL. */
export interface Explained<Tables> {
  /** Runs each statement under `explain analyze`. The statement takes effect but returns no rows. */
  readonly db: Kysely<Tables>;
  /** The plans so far, with the row counts of their execution. */
  readonly plan: () => string;
  /** The largest number of rows or loops in any node of the plans. */
  readonly mostRows: () => number;
}

export function explainStatements<Tables>(db: Kysely<Tables>): Explained<Tables> {
  const lines: string[] = [];
  const explain: KyselyPlugin = {
    transformQuery: ({ node }) =>
      RawNode.create(["explain (analyze, costs off, timing off, summary off, buffers off) ", ""], [node]),
    transformResult: async ({ result }) => {
      lines.push(...result.rows.map((row) => String(row["QUERY PLAN"])));
      return { ...result, rows: [] };
    },
  };
  const plan = () => lines.join("\n");
  return {
    db: db.withPlugin(explain),
    plan,
    mostRows: () =>
      Math.max(...[...plan().matchAll(/(?:rows=|loops=|Removed by [\w ]+: )(\d+)/g)].map(([, count]) => Number(count))),
  };
}
