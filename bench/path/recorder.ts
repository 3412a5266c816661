/**
 * Preloaded into a zone (`node --import`): records the statements that it sends and the functions that run. A request to the socket
 * PATH_RECORDER returns them, and starts again.
 */
import { createServer, type ServerResponse } from "node:http";
import { Session } from "node:inspector/promises";
import { DatabaseSync, StatementSync, type SQLInputValue } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";

/** A statement that a zone sent to its database. */
export interface Statement {
  readonly text: string;
  /** Rows that it changed or returned. */
  readonly rows: number;
  readonly connection: number;
}

export interface Recording {
  readonly statements: readonly Statement[];
  /** Each function that ran, as the path of its file and its place there. */
  readonly functions: readonly string[];
}

type Method = (this: object, ...args: unknown[]) => unknown;

/** Replaces a method by one that also calls `after` with what it was called on, its arguments and its result. */
function observe(prototype: object, name: string, after: (on: object, args: unknown[], result: never) => void): void {
  const methods = prototype as Record<string, Method>;
  const method = methods[name] as Method;
  methods[name] = function (...args) {
    const result = method.apply(this, args);
    after(this, args, result as never);
    return result;
  };
}

function recordSqlite(note: (statement: Statement) => void): void {
  const databases = new WeakMap<object, object>();
  const numbers = new Map<object, number>();
  const record = (database: object, text: string, rows: number): void => {
    const connection = numbers.get(database) ?? numbers.size;
    numbers.set(database, connection);
    note({ text, rows, connection });
  };
  observe(DatabaseSync.prototype, "prepare", (database, _args, statement) => databases.set(statement, database));
  observe(DatabaseSync.prototype, "exec", (database, [text]) => record(database, String(text), 0));
  const observeRows = (name: string, rowsOf: (result: never) => number): void =>
    observe(StatementSync.prototype, name, (statement, _args, result) =>
      record(databases.get(statement) ?? statement, (statement as StatementSync).sourceSQL, rowsOf(result)),
    );
  observeRows("run", ({ changes }: { changes: number | bigint }) => Number(changes));
  observeRows("all", ({ length }: readonly unknown[]) => length);
  observeRows("get", (row: unknown) => (row === undefined ? 0 : 1));
  Object.assign(StatementSync.prototype, {
    iterate(this: StatementSync, ...args: SQLInputValue[]) {
      return this.all(...args).values();
    },
  });
}

/** Counts function calls from now on. Returns a function that resolves with what ran since the last time. */
async function recordCoverage(): Promise<() => Promise<string[]>> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  // Without `callCount`, V8 reports each function a single time.
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  return async () => {
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const own = result.filter(({ url }) => url.startsWith("file:") && !url.includes("/node_modules/"));
    return own.flatMap(({ url, functions }) =>
      functions
        .flatMap(({ ranges }) => ranges.slice(0, 1))
        .filter(({ count }) => count > 0)
        .map(({ startOffset, endOffset }) => `${fileURLToPath(url)} ${startOffset}-${endOffset}`),
    );
  };
}

const socket = process.env["PATH_RECORDER"];
// Other threads preload it too. They have no database.
if (isMainThread && socket !== undefined) {
  let statements: Statement[] = [];
  recordSqlite((statement) => statements.push(statement));
  const takeFunctions = await recordCoverage();
  const answer = async (response: ServerResponse): Promise<void> => {
    const recording: Recording = { statements, functions: await takeFunctions() };
    statements = [];
    response.end(JSON.stringify(recording));
  };
  const server = createServer((_request, response) => void answer(response));
  server.listen(socket).unref();
}
