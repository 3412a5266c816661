/**
 * Preloaded into a zone (`node --import`): records the statements that it sends and the functions that run. Listens on the socket
 * PATH_RECORDER: `GET /statements` returns the statements since the last `POST /take`; that returns them with the functions, and starts again.
 */
import { createServer } from "node:http";
import { Session } from "node:inspector";
import { createRequire } from "node:module";
import { DatabaseSync, StatementSync, type SQLInputValue } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";
import type * as pg from "pg";

/** A statement that a zone sent to its database. */
export interface Statement {
  readonly text: string;
  /** Rows that it changed or returned; `undefined` while it runs, and after an error. */
  rows?: number;
  readonly connection: number;
  /** Sent before the answer to the statement before it: it shares that one's round trip. */
  readonly pipelined: boolean;
  /** In one transaction with the statement before it, without `begin`. */
  readonly joined: boolean;
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
    note({ text, rows, connection, pipelined: false, joined: false });
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

/** A connection to PostgreSQL. A batch sends through an object that inherits it. */
interface Wire extends pg.Connection {
  recorded: {
    readonly number: number;
    readonly prepared: Map<string, string>;
    /** Sent and not answered yet, with the number of its Sync. */
    readonly open: { readonly statement: Statement; readonly sync: number }[];
    syncs: number;
  };
}

/** Statements before one Sync are one transaction and one round trip. https://www.postgresql.org/docs/current/protocol-flow.html */
function recordPostgres(note: (statement: Statement) => void): void {
  const sql = new URL("../../packages/sql/package.json", import.meta.url);
  const { Connection } = createRequire(sql)("pg") as typeof pg;
  let connections = 0;
  const before = (method: string, run: (wire: Wire, message: never) => void): void =>
    wrap(Connection.prototype, method, (send) => {
      return function (...args) {
        run(this as Wire, args[0] as never);
        return send.apply(this, args);
      };
    });
  const send = ({ recorded: { number, open, syncs } }: Wire, text: string): void => {
    const last = open.at(-1);
    const statement = { text, connection: number, pipelined: last !== undefined, joined: last?.sync === syncs };
    open.push({ statement, sync: syncs });
    note(statement);
  };
  before("connect", (wire) => {
    const known: Wire["recorded"] = { number: ++connections, prepared: new Map(), open: [], syncs: 0 };
    wire.recorded = known;
    wire.on("commandComplete", ({ text }: { text: string }) => {
      const answered = known.open.shift();
      if (answered !== undefined) answered.statement.rows = Number(/\d+$/.exec(text)?.[0] ?? 0);
    });
    // The server skips all statements up to the Sync.
    wire.on("errorMessage", () => {
      const failed = known.open[0]?.sync;
      while (known.open.length > 0 && known.open[0]?.sync === failed) known.open.shift();
    });
  });
  before("query", (wire, text: string) => {
    send(wire, text);
    wire.recorded.syncs += 1;
  });
  before("parse", ({ recorded }, { name = "", text }: { name?: string; text: string }) => {
    recorded.prepared.set(name, text);
  });
  before("bind", (wire, { statement = "" }: { statement?: string }) => {
    send(wire, wire.recorded.prepared.get(statement) ?? statement);
  });
  before("sync", ({ recorded }) => {
    recorded.syncs += 1;
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
  recordPostgres(note);
  const takeFunctions = recordCoverage();
  const server = createServer(({ url }, response) => {
    response.end(JSON.stringify(url === "/statements" ? statements : { statements, functions: takeFunctions() }));
    if (url === "/take") statements = [];
  });
  server.listen(socket).unref();
}
