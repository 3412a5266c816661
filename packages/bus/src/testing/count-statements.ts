import type { Database } from "@crosszone/sql";
import type { KyselyPlugin } from "kysely";

/** The same database, with a count of what it is asked. */
export function countStatements<Tables>(database: Database<Tables>): {
  readonly database: Database<Tables>;
  readonly count: () => number;
} {
  let asked = 0;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      asked += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const db = database.db.withPlugin(plugin);
  const unflushed: Database<Tables>["unflushed"] = (run) =>
    database.unflushed((connection) => run(connection.withPlugin(plugin)));
  const write: Database<Tables>["write"] = (...args) => {
    asked += 1;
    return database.write(...args);
  };
  return { database: { ...database, db, unflushed, write }, count: () => asked };
}
