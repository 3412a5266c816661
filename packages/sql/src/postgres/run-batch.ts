import type { CompiledQuery, QueryResult } from "kysely";
import {
  type Connection,
  type PoolClient,
  Query,
  type QueryResult as PostgresResult,
  type Submittable,
  TypeOverrides,
  types,
} from "pg";
import { preparedName } from "../query/write-statement.ts";

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
export async function runBatch(
  client: PoolClient,
  statements: readonly CompiledQuery[],
): Promise<readonly QueryResult<unknown>[]> {
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

function toResult({ command, rowCount, rows }: PostgresResult): QueryResult<unknown> {
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
