import type { Socket } from "node:net";
import { CompiledQuery, type PostgresPool, type PostgresPoolClient, type QueryResult as KyselyResult } from "kysely";
import {
  type Connection,
  type Pool,
  type PoolClient,
  Query,
  type QueryArrayConfig,
  type QueryArrayResult,
  type QueryResult as PostgresResult,
  type Submittable,
  TypeOverrides,
  types,
} from "pg";
import type { WrittenWith } from "../query/database.ts";
import { connectionError } from "../query/errors.ts";
import {
  checkParameters,
  preparedName,
  refuseObjects,
  type WriteRow,
  type WriteStatement,
} from "../query/write-statement.ts";

/** A statement of pg, which handles the server's messages about it. */
interface Part extends Submittable {
  readonly name: string | undefined;
  readonly text: string;
  readonly handleRowDescription: (message: unknown) => void;
  readonly handleDataRow: (message: unknown) => void;
  readonly handleCommandComplete: (message: unknown, connection: Connection) => void;
  readonly handleReadyForQuery: (connection: Connection) => void;
}

const exactTypes = exactNumbers();

/**
 * Runs the statements in one transaction and one round trip. All of them precede a single Sync message: the server commits when it reads it,
 * or skips everything after an error up to it. Rejects with the first error.
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
async function runBatch(
  client: PoolClient,
  statements: readonly CompiledQuery[],
): Promise<readonly KyselyResult<unknown>[]> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const results: PostgresResult[] = [];
  const parts = statements.map(({ sql: text, parameters }) => {
    const config = {
      text,
      values: [...parameters],
      name: preparedName(text),
      types: exactTypes,
      queryMode: "extended",
    };
    const onEnd = (error: unknown, result: PostgresResult): void => void (error ? reject(error) : results.push(result));
    return new (Query as unknown as new (of: typeof config, callback: typeof onEnd) => Part)(config, onEnd);
  });
  /** Index of the statement that the server's next message is about. */
  let at = 0;
  const current = (): Part => parts[at] as Part;

  client.query({
    // pg uses these to remember which statements were parsed.
    get name() {
      return parts[at]?.name;
    },
    get text() {
      return parts[at]?.text;
    },
    submit: (connection: Connection) => {
      const withoutSync = Object.create(connection, { sync: { value: () => undefined } }) as Connection;
      for (const part of parts) part.submit(withoutSync);
      connection.sync();
    },
    handleRowDescription: (message: unknown) => current().handleRowDescription(message),
    handleDataRow: (message: unknown) => current().handleDataRow(message),
    handleCommandComplete: (message: unknown, connection: Connection) => {
      current().handleCommandComplete(message, connection);
      at += 1;
    },
    handleEmptyQuery: () => void (at += 1),
    handleReadyForQuery: (connection: Connection) => {
      for (const part of parts) part.handleReadyForQuery(connection);
      resolve();
    },
    handleError: (
      error: unknown,
      { submittedNamedStatements }: { submittedNamedStatements: Record<string, string> },
    ) => {
      // The server skipped them: they were not parsed.
      for (const { name } of parts.slice(at)) if (name !== undefined) delete submittedNamedStatements[name];
      reject(error);
    },
  } as Submittable);
  await promise;
  return results.map(toResult);
}

const changing = new Set(["INSERT", "UPDATE", "DELETE", "MERGE"]);

function toResult({ command, rowCount, rows }: PostgresResult): KyselyResult<unknown> {
  return changing.has(command) ? { numAffectedRows: BigInt(rowCount ?? 0), rows } : { rows };
}

/** Reads `bigint` and `numeric` (sums of bigint) as numbers, like SQLite. Throws for values that a number can't represent exactly. */
export function exactNumbers(): TypeOverrides {
  const overrides = new TypeOverrides();
  for (const type of [types.builtins.INT8, types.builtins.NUMERIC]) overrides.setTypeParser(type, toNumber);
  return overrides;
}

function toNumber(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new RangeError(`the value is too large to be represented as a JavaScript number: ${text}`);
  return value;
}

/** A pool for Kysely with statement timeouts, which waits for running statements when it ends. */
interface LimitedPool extends PostgresPool {
  /** Runs one statement on any connection. */
  readonly query: (statement: QueryArrayConfig<unknown[]>) => Promise<QueryArrayResult>;
  /** Runs several statements in one transaction, on any connection. */
  readonly batch: (statements: readonly CompiledQuery[]) => Promise<readonly KyselyResult<unknown>[]>;
  /** Accepts no new work; resolves when nothing is running. */
  readonly drain: () => Promise<void>;
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html: read_only_sql_transaction */
const readOnlyTransaction = "25006";

interface PoolLimits {
  /** A connection whose server is silent for longer is dropped; 0 means no limit. */
  readonly answerWithinMs: number;
  /** Called when a connection could not be opened. Returns what to connect to from now on. */
  readonly renew: () => string;
}

export function limitPool(pool: Pool, { answerWithinMs, renew }: PoolLimits): LimitedPool {
  const limited = new WeakMap<PoolClient, PostgresPoolClient>();
  /** Connections to a server that has become read-only. New ones may reach another server. */
  const readOnly = new WeakSet<PoolClient>();
  const { acquire, leave, drain } = countConnections(() => connectTo(pool, renew));

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
    const query = async (text: string, parameters: readonly unknown[] = []): Promise<PostgresResult> => {
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

/** Opens a connection, or takes an open one. Tries once more if the address has changed since it was read. */
async function connectTo(pool: Pool, renew: () => string): Promise<PoolClient> {
  const tried = pool.options.connectionString;
  try {
    return await pool.connect();
  } catch (error) {
    pool.options.connectionString = renew();
    if (pool.options.connectionString === tried) throw connectionError(error);
    return pool.connect().catch((again: unknown) => {
      throw connectionError(again);
    });
  }
}

/** Counts the connections in use. `drain` accepts no new work and resolves when none is in use. */
function countConnections(connect: () => Promise<PoolClient>) {
  let inUse = 0;
  let drained: PromiseWithResolvers<void> | undefined;
  const leave = (): void => {
    inUse -= 1;
    if (inUse === 0) drained?.resolve();
  };
  return {
    leave,
    acquire: async (): Promise<PoolClient> => {
      if (drained !== undefined) throw new Error("the database is closed");
      inUse += 1;
      try {
        return await connect();
      } catch (error) {
        leave();
        throw error;
      }
    },
    drain: (): Promise<void> => {
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

/**
 * Writes rows in one statement, which is its own transaction. Returns for each row whether it changed something. The statement is named, so
 * that a connection plans it once.
 */
export async function writeRows<Column extends string>(
  pool: LimitedPool,
  statement: WriteStatement<Column>,
  rows: readonly WriteRow<Column>[],
): Promise<boolean[]> {
  const run: RunWrite = async (values) => {
    const { rows: keys } = await pool.query({ ...statement.postgres, values, rowMode: "array" });
    return keys.map(([value]) => value);
  };
  return writeBy(run, statement, rows);
}

/** Writes rows and runs other statements in one transaction and one round trip. */
export async function writeRowsWith<Column extends string>(
  pool: LimitedPool,
  { statement, rows }: { readonly statement: WriteStatement<Column>; readonly rows: readonly WriteRow<Column>[] },
  others: readonly CompiledQuery[],
): Promise<WrittenWith> {
  const { postgres, key } = statement;
  let results: WrittenWith["results"] | undefined;
  const run: RunWrite = async (values) => {
    const also = results ? [] : others;
    const [written, ...rest] = await pool.batch([CompiledQuery.raw(postgres.text, values), ...also]);
    results ??= rest;
    return (written?.rows ?? []).map((row) => (row as Record<string, unknown>)[key]);
  };
  const changed = await writeBy(run, statement, rows);
  return { changed, results: results ?? [] };
}

/** Runs a statement with an array of each column. Resolves with the keys of the rows that changed something. */
type RunWrite = (values: unknown[][]) => Promise<readonly unknown[]>;

async function writeBy<Column extends string>(
  run: RunWrite,
  statement: WriteStatement<Column>,
  rows: readonly WriteRow<Column>[],
): Promise<boolean[]> {
  const { columns, key } = statement;
  const firsts = new Map<unknown, number>();
  rows.forEach((row, index) => firsts.has(row[key]) || firsts.set(row[key], index));
  // In key order: PostgreSQL aborts one of two statements that lock the same rows in different orders.
  const now = [...firsts.values()].map((index) => rows[index] as WriteRow<Column>).toSorted(byColumn(key));
  const values = columns.map((name) => now.map((row) => row[name]));
  const done = new Set(await run(values));
  const changed = rows.map((row, index) => firsts.get(row[key]) === index && done.has(row[key]));
  if (now.length === rows.length) return changed;

  // Of several rows with the same key, one statement would write an arbitrary one, so later ones are written after it.
  const later = rows.flatMap((row, index) => (firsts.get(row[key]) === index ? [] : [index]));
  const afterwards = await writeBy(
    run,
    statement,
    later.map((index) => rows[index] as WriteRow<Column>),
  );
  later.forEach((index, at) => (changed[index] = afterwards[at] ?? false));
  return changed;
}

function byColumn<Column extends string>(name: Column): (a: WriteRow<Column>, b: WriteRow<Column>) => number {
  return ({ [name]: a }, { [name]: b }) => Number((a ?? "") > (b ?? "")) - Number((a ?? "") < (b ?? ""));
}
