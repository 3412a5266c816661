import fs from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { agenda } from "../time/virtual-time.ts";
import { currentLife, DeadProcessError, type Life } from "../time/life.ts";
import type { Trouble } from "./troubles.ts";

/**
 * Called before each statement that takes effect by itself: a write outside a transaction, a commit, and the begin of a transaction. A commit has the
 * text of the last statement before it.
 */
type Ask = (life: Life, text: string) => Trouble | undefined;

let ask: Ask = () => undefined;

/** Makes the simulation's databases fail as `next` says. */
export function failDatabases(next: Ask): void {
  ask = next;
}

const busy = (): Error =>
  Object.assign(new Error("database is locked"), {
    code: "ERR_SQLITE_ERROR",
    errcode: 5,
    errstr: "database is locked",
  });
const lost = (): Error => Object.assign(new Error("Connection terminated unexpectedly"), { code: "ECONNRESET" });

/** The process that opened each database. */
const lives = new WeakMap<DatabaseSync, Life>();

/**
 * Replaces the SQLite databases that processes of the simulation open. Their clock is the agenda, connections are lost before and after commits, and
 * they close with their process.
 */
export function replaceDatabases(): void {
  // oxlint-disable-next-line typescript/unbound-method -- each is called with its database
  const { exec, prepare, close } = DatabaseSync.prototype;

  replaceDisk();

  DatabaseSync.prototype.close = function () {
    // The database of a dead process is already closed.
    if (this.isOpen || lives.get(this)?.isAlive !== false) close.call(this);
  };

  DatabaseSync.prototype.exec = function (text) {
    const life = lifeOf(this);
    exec.call(this, life === undefined ? text : text.replaceAll("synchronous = normal", "synchronous = off"));
  };

  DatabaseSync.prototype.prepare = function (text, ...rest) {
    const life = lifeOf(this);
    const statement = prepare.call(this, text, ...rest);
    if (life === undefined) return statement;
    const [isCommit, isSafe] = [/^\s*commit/i.test(text), /^\s*(pragma|rollback)/i.test(text)];
    const rollback = (): void => exec.call(this, "rollback");
    const around = <T>(run: () => T): T =>
      isSafe && life.isAlive ? run() : attempt({ database: this, life, text, isCommit, run, rollback });
    return {
      columns: () => statement.columns(),
      all: (...given: SQLInputValue[]) => around(() => statement.all(...given)),
      get: (...given: SQLInputValue[]) => around(() => statement.get(...given)),
      run: (...given: SQLInputValue[]) => around(() => statement.run(...given)),
      iterate: (...given: SQLInputValue[]) => around(() => statement.iterate(...given)),
    } as unknown as StatementSync;
  };
}

/** Power never fails here, so written data is there for the next process: SQLite's logs need no flush. */
function replaceDisk(): void {
  const { openSync, closeSync } = fs;
  const noLog = -1;
  Object.assign(fs, {
    openSync: (...given: Parameters<typeof openSync>) =>
      String(given[0]).endsWith("-wal") ? noLog : openSync(...given),
    closeSync: (file: number) => (file === noLog ? undefined : closeSync(file)),
    fdatasync: (_log: number, done: (error: null) => void): void => process.nextTick(done, null),
  });
}

/** Returns the process that opened the database. Its death closes the database. */
function lifeOf(database: DatabaseSync): Life | undefined {
  const life = lives.get(database) ?? currentLife();
  if (life === undefined) return undefined;
  if (!life.isAlive) throw new DeadProcessError();
  if (lives.has(database)) return life;
  lives.set(database, life);
  database.function("unixepoch", { varargs: true }, () => agenda.now() / 1_000);
  life.onDeath(() => {
    if (database.isOpen) database.close();
  });
  return life;
}

interface Attempt<T> {
  readonly database: DatabaseSync;
  readonly life: Life;
  readonly text: string;
  readonly isCommit: boolean;
  readonly run: () => T;
  readonly rollback: () => void;
}

/** The last statement of each open transaction. */
const lastTexts = new WeakMap<DatabaseSync, string>();

/** Runs a statement or makes it fail. Statements inside a transaction never fail by themselves. */
function attempt<T>({ database, life, text, isCommit, run, rollback }: Attempt<T>): T {
  if (!life.isAlive) throw new DeadProcessError();
  if (database.isTransaction && !isCommit) {
    lastTexts.set(database, text);
    return run();
  }
  const trouble = ask(life, isCommit ? (lastTexts.get(database) ?? text) : text);
  // A transaction that has begun is never busy.
  if (trouble === undefined || (trouble === "busy" && isCommit)) return run();
  if (trouble === "busy") throw busy();
  if (trouble.endsWith("after")) run();
  if (database.isTransaction) rollback();
  if (trouble.startsWith("lost")) throw lost();
  life.die();
  throw new DeadProcessError();
}
