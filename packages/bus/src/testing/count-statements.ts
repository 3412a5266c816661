import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "@crosszone/sql";
import type { KyselyPlugin } from "kysely";

/** A database that is watched. */
export interface CountedDatabase<Tables> {
  readonly database: Database<Tables>;
  /** How often it was asked. */
  readonly count: () => number;
  /** Waits until nobody asks it anything: none waits for its answer, and who had one has had the time to ask again. */
  readonly quiet: () => Promise<void>;
}

/** The same database, with a count of what it is asked; of a transaction, and of what was compiled before, nothing is seen. */
export function countStatements<Tables>(database: Database<Tables>): CountedDatabase<Tables> {
  let asked = 0;
  const open = new Set<object>();
  const ask = (question: object): void => {
    asked += 1;
    open.add(question);
  };
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      ask(queryId);
      return node;
    },
    transformResult: async ({ result, queryId }) => {
      open.delete(queryId);
      return result;
    },
  };
  const db = database.db.withPlugin(plugin);
  const unflushed: Database<Tables>["unflushed"] = (run) =>
    database.unflushed((connection) => run(connection.withPlugin(plugin)));
  const write: Database<Tables>["write"] = async (...args) => {
    ask(args);
    return database.write(...args).finally(() => open.delete(args));
  };
  async function quiet(): Promise<void> {
    for (let before = -1; before !== asked || open.size > 0;) {
      before = asked;
      await delay(20);
    }
  }
  return { database: { ...database, db, unflushed, write }, count: () => asked, quiet };
}
