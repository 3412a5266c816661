import fs from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { createRandom, type Random } from "../../harness/random.ts";
import { add, type Counts } from "../../resist/counts.ts";
import { agenda, currentLife, DeadProcessError, type Life } from "../time/virtual-time.ts";

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

/** A failure of an operation that has an effect outside its process. */
type Trouble = "lost_before" | "lost_after" | "die_before" | "die_after" | "busy";

/** Where an operation has its effect. `ending` is the database when a job ends. */
type Place = "database" | "ending" | "slack" | "link";

/** Decides which operations fail. One seed decides everything; each place has its own random sequence. */
export type Troubles = ReturnType<typeof createTroubles>;

export interface Doom {
  readonly place: Place;
  /** Number of the operation, from 1. */
  readonly at: number;
  readonly trouble: "die_before" | "die_after" | "lost_before";
}

/** Returns rates that differ by seed: many failures at one place, or a few everywhere. */
function ratesOf(random: Random) {
  const rate = (): number => random.pick([0, 0, 5, 20, 60]);
  return { lostBefore: rate(), lostAfter: rate(), busy: random.pick([0, 20, 80]) };
}

const places: readonly Place[] = ["database", "slack", "link", "ending"];

export function createTroubles(seed: number) {
  const courses = new Map(
    places.map((place, at) => {
      const random = createRandom(seed, 10 + at);
      return [place, { random, rates: ratesOf(random) }] as const;
    }),
  );
  const dooms = new Map<Life, Doom & { left: number; readonly onReached: (() => void) | undefined }>();
  const counts: Counts = new Map();
  let isOver = false;
  const course = (place: Place) =>
    courses.get(place) ?? { random: createRandom(seed), rates: ratesOf(createRandom(seed)) };

  function chosen(place: Place, life: Life): Trouble | undefined {
    const doom = dooms.get(life);
    if (doom?.place === place && (doom.left -= 1) === 0) {
      dooms.delete(life);
      doom.onReached?.();
      return doom.trouble;
    }
    if (isOver) return undefined;
    const { random, rates } = course(place);
    const dice = random.int(1_000);
    if (dice < rates.lostBefore) return "lost_before";
    if (dice < rates.lostBefore + rates.lostAfter) return "lost_after";
    return dice < rates.lostBefore + rates.lostAfter + rates.busy ? "busy" : undefined;
  }

  return {
    random: (place: Place) => course(place).random,
    /** Called at each operation of a process. */
    next: (place: Place, life: Life) => {
      const trouble = chosen(place, life);
      if (trouble !== undefined) add(counts, `${place} ${trouble}`);
      return trouble;
    },
    /** Makes one of the process's next operations at a place fail. */
    doom: (life: Life, doom: Doom, onReached?: () => void) =>
      void dooms.set(life, { ...doom, left: doom.at, onReached }),
    /** Ends all failures except doomed operations. */
    end: () => {
      isOver = true;
    },
    /** Cancels all doomed operations. */
    spare: () => dooms.clear(),
    isOver: () => isOver,
    counts,
  };
}
