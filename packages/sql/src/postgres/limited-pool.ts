import type { Socket } from "node:net";
import type { CompiledQuery, PostgresPool, PostgresPoolClient, QueryResult as KyselyResult } from "kysely";
import type { Pool, PoolClient, QueryArrayConfig, QueryArrayResult, QueryResult } from "pg";
import { checkParameters, preparedName, refuseObjects } from "../query/write-statement.ts";
import { runBatch } from "./run-batch.ts";

/** A pool for Kysely with statement timeouts, which waits for running statements when it ends. */
export interface LimitedPool extends PostgresPool {
  /** Runs one statement on any connection. */
  readonly query: (statement: QueryArrayConfig<unknown[]>) => Promise<QueryArrayResult>;
  /** Runs several statements in one transaction, on any connection. */
  readonly batch: (statements: readonly CompiledQuery[]) => Promise<readonly KyselyResult<unknown>[]>;
  /** Accepts no new work; resolves when nothing is running. */
  readonly drain: () => Promise<void>;
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html: read_only_sql_transaction */
const readOnlyTransaction = "25006";

/** `answerWithinMs`: a connection whose server is silent for longer is dropped; 0 means no limit. */
export function limitPool(pool: Pool, { answerWithinMs }: { readonly answerWithinMs: number }): LimitedPool {
  const limited = new WeakMap<PoolClient, PostgresPoolClient>();
  /** Connections to a server that has become read-only. New ones may reach another server. */
  const readOnly = new WeakSet<PoolClient>();
  const { acquire, leave, drain } = countConnections(pool);

  const answered = async <Answer>(client: PoolClient, ask: () => Promise<Answer>): Promise<Answer> => {
    const tooLong = answerWithinMs > 0 && setTimeout(() => giveUp(client, answerWithinMs), answerWithinMs);
    try {
      return await ask();
    } catch (error) {
      if ((error as { code?: unknown }).code === readOnlyTransaction) readOnly.add(client);
      throw error;
    } finally {
      if (tooLong) clearTimeout(tooLong);
    }
  };
  const onAny = async <Answer>(ask: (client: PoolClient) => Promise<Answer>): Promise<Answer> => {
    const client = await acquire();
    try {
      return await answered(client, () => ask(client));
    } finally {
      client.release(readOnly.has(client));
      leave();
    }
  };
  const limit = (client: PoolClient): PostgresPoolClient => {
    const query = async (text: string, parameters: readonly unknown[] = []): Promise<QueryResult> => {
      checkParameters(parameters);
      const values = [...parameters];
      const name = preparedName(text);
      return answered(client, () => client.query(name === undefined ? { text, values } : { name, text, values }));
    };
    const release = (discard?: boolean | Error): void => {
      client.release(discard || readOnly.has(client));
      leave();
    };
    return { query, release } as unknown as PostgresPoolClient;
  };

  // A connection can also break between two statements of a transaction; the next one reports it.
  pool.on("connect", (client) => void client.on("error", () => undefined));
  return {
    options: pool.options,
    connect: async () => limited.getOrInsertComputed(await acquire(), limit),
    query: async (statement) => {
      checkParameters(statement.values ?? []);
      return onAny((client) => client.query(statement));
    },
    batch: async (statements) => {
      for (const { parameters } of statements) {
        checkParameters(parameters);
        // One that can't be sent would be missing in its transaction.
        refuseObjects(parameters);
      }
      return onAny((client) => runBatch(client, statements));
    },
    end: () => pool.end(),
    drain,
  };
}

/** Counts the connections in use. `drain` accepts no new work and resolves when none is in use. */
function countConnections(pool: Pool): {
  readonly acquire: () => Promise<PoolClient>;
  readonly leave: () => void;
  readonly drain: () => Promise<void>;
} {
  let inUse = 0;
  let drained: PromiseWithResolvers<void> | undefined;
  const leave = (): void => {
    inUse -= 1;
    if (inUse === 0) drained?.resolve();
  };
  return {
    leave,
    acquire: async () => {
      if (drained !== undefined) throw new Error("the database is closed");
      inUse += 1;
      try {
        return await pool.connect();
      } catch (error) {
        leave();
        throw error;
      }
    },
    drain: () => {
      drained ??= Promise.withResolvers();
      if (inUse === 0) drained.resolve();
      return drained.promise;
    },
  };
}

/** pg itself would reject the statement but queue the next one behind it. */
function giveUp(client: PoolClient, afterMs: number): void {
  const { connection } = client as unknown as { readonly connection: { readonly stream: Socket } };
  connection.stream.destroy(new Error(`Connection terminated: PostgreSQL has not responded for ${afterMs} ms`));
}
