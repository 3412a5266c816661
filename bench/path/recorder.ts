/**
 * Preloaded into a zone (`node --import`): records the statements that it sends and the functions that run. A request to the socket
 * PATH_RECORDER returns them, and starts again.
 */
import { createServer } from "node:http";
import { Session } from "node:inspector";
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

function wrap(prototype: object, name: string, around: (method: Method) => Method): void {
  const methods = prototype as Record<string, Method>;
  methods[name] = around(methods[name] as Method);
}

function recordSqlite(note: (statement: Statement) => void): void {
  const databases = new WeakMap<object, object>();
  const numbers = new Map<object, number>();
  const record = (database: object, text: string, rows: number): void => {
    const connection = numbers.get(database) ?? numbers.size;
    numbers.set(database, connection);
    note({ text, rows, connection });
  };
  wrap(DatabaseSync.prototype, "prepare", (prepare) => {
    return function (text) {
      const statement = prepare.call(this, text) as StatementSync;
      databases.set(statement, this);
      return statement;
    };
  });
  wrap(DatabaseSync.prototype, "exec", (exec) => {
    return function (text) {
      exec.call(this, text);
      record(this, String(text), 0);
    };
  });
  const recordRows = (name: "run" | "all" | "get", rowsOf: (result: never) => number): void =>
    wrap(StatementSync.prototype, name, (send) => {
      return function (...parameters) {
        const result = send.apply(this, parameters);
        record(databases.get(this) ?? this, (this as StatementSync).sourceSQL, rowsOf(result as never));
        return result;
      };
    });
  recordRows("run", ({ changes }: { changes: number | bigint }) => Number(changes));
  recordRows("all", ({ length }: readonly unknown[]) => length);
  recordRows("get", (row: unknown) => (row === undefined ? 0 : 1));
  wrap(StatementSync.prototype, "iterate", () => {
    return function (...parameters) {
      return (this as StatementSync).all(...(parameters as SQLInputValue[])).values();
    };
  });
}

/** Counts function calls from now on. Returns a function that returns what ran since the last time. */
function recordCoverage(): () => string[] {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  // Without `callCount`, V8 reports each function a single time.
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  return () => {
    let ran: string[] = [];
    // The session is in this thread: it answers before `post` returns.
    session.post("Profiler.takePreciseCoverage", (error, { result }) => {
      if (error) throw error;
      ran = result
        .filter(({ url }) => url.startsWith("file:") && !url.includes("/node_modules/"))
        .flatMap(({ url, functions }) =>
          functions
            .flatMap(({ ranges }) => ranges.slice(0, 1))
            .filter(({ count }) => count > 0)
            .map(({ startOffset, endOffset }) => `${fileURLToPath(url)} ${startOffset}-${endOffset}`),
        );
    });
    return ran;
  };
}

const socket = process.env["PATH_RECORDER"];
// Agent threads preload it too. They have no database.
if (isMainThread && socket !== undefined) {
  let statements: Statement[] = [];
  const note = (statement: Statement): void => void statements.push(statement);
  recordSqlite(note);
  const takeFunctions = recordCoverage();
  const server = createServer((_request, response) => {
    response.end(JSON.stringify({ statements, functions: takeFunctions() }));
    statements = [];
  });
  server.listen(socket).unref();
}
