import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "@crosszone/sql";
import type { KyselyPlugin } from "kysely";

/** A database with a statement counter. */
export interface CountedDatabase<Tables> {
  readonly database: Database<Tables>;
  /** Returns the number of statements. */
  readonly count: () => number;
  /** Waits until no statement runs and no new one follows. */
  readonly quiet: () => Promise<void>;
}

/** Wraps a database with a statement counter. Does not count statements of transactions, and compiled ones. */
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
