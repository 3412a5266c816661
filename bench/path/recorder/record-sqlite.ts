import { DatabaseSync, StatementSync, type SQLInputValue } from "node:sqlite";
import type { OnStatement } from "./statement.ts";

type Method<Self, Args extends unknown[], Result> = (this: Self, ...args: Args) => Result;
type Run<Result> = Method<StatementSync, SQLInputValue[], Result>;

/** Records every statement of `node:sqlite` in this process from now on. */
export function recordSqlite(onStatement: OnStatement): void {
  const numberOf = createNumbers<DatabaseSync>();
  const files = new WeakMap<StatementSync, DatabaseSync>();
  const record = (file: DatabaseSync | undefined, text: string, rows: number): void => {
    if (file !== undefined) onStatement({ text, rows, connection: numberOf(file), pipelined: false, joined: false });
  };

  wrap(DatabaseSync.prototype, "prepare", (prepare: Method<DatabaseSync, [string], StatementSync>) => {
    return function (text) {
      const statement = prepare.call(this, text);
      files.set(statement, this);
      return statement;
    };
  });
  wrap(DatabaseSync.prototype, "exec", (exec: Method<DatabaseSync, [string], void>) => {
    return function (text) {
      exec.call(this, text);
      record(this, text, 0);
    };
  });
  wrap(StatementSync.prototype, "run", (run: Run<{ changes: number | bigint }>) => {
    return function (...parameters) {
      const result = run.apply(this, parameters);
      record(files.get(this), this.sourceSQL, Number(result.changes));
      return result;
    };
  });
  wrap(StatementSync.prototype, "all", (all: Run<unknown[]>) => {
    return function (...parameters) {
      const rows = all.apply(this, parameters);
      record(files.get(this), this.sourceSQL, rows.length);
      return rows;
    };
  });
  wrap(StatementSync.prototype, "get", (get: Run<unknown>) => {
    return function (...parameters) {
      const row = get.apply(this, parameters);
      record(files.get(this), this.sourceSQL, row === undefined ? 0 : 1);
      return row;
    };
  });
  wrap(StatementSync.prototype, "iterate", (iterate: Run<IterableIterator<unknown>>) => {
    return function* (...parameters) {
      let rows = 0;
      for (const row of iterate.apply(this, parameters)) {
        rows += 1;
        yield row;
      }
      record(files.get(this), this.sourceSQL, rows);
    };
  });
}

function wrap<Self, Args extends unknown[], Result>(
  prototype: Self,
  name: keyof Self,
  around: (method: Method<Self, Args, Result>) => Method<Self, Args, Result>,
): void {
  Object.assign(prototype as object, { [name]: around(prototype[name] as Method<Self, Args, Result>) });
}

/** Numbers connections in the order of their first statement. */
function createNumbers<Connection extends object>(): (connection: Connection) => number {
  const numbers = new WeakMap<Connection, number>();
  let next = 1;
  return (connection) => {
    const number = numbers.get(connection) ?? next++;
    numbers.set(connection, number);
    return number;
  };
}
