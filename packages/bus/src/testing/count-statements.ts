import type { Database } from "@crosszone/sql";

/** The same database, with a count of what it is asked. */
export function countStatements<Tables>(database: Database<Tables>): {
  readonly database: Database<Tables>;
  readonly count: () => number;
} {
  let asked = 0;
  const db = database.db.withPlugin({
    transformQuery: ({ node }) => {
      asked += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const write: Database<Tables>["write"] = (statement, rows) => {
    asked += 1;
    return database.write(statement, rows);
  };
  return { database: { ...database, db, write }, count: () => asked };
}
