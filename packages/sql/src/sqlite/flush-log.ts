// Not by name, so that a simulation without a disk can replace it.
import fs from "node:fs";
import { setImmediate as endOfTurn } from "node:timers/promises";

/** Writes SQLite's log to disk, without blocking the event loop. */
export interface LogFlush {
  /**
   * Resolves when all commits before the call are on disk. Calls in one turn of the loop share a flush; calls during a flush share the next
   * one. After a failed flush all reject: what the disk has then is unknown until the process starts again.
   * https://wiki.postgresql.org/wiki/Fsync_Errors
   */
  readonly flush: () => Promise<void>;
  /** Resolves when no flush is under way. Rejects after a failed one. */
  readonly settled: () => Promise<void>;
  /** Closes the log after the last flush has ended. */
  readonly close: () => Promise<void>;
}

/** The database is open and was read: its log exists. */
export function createLogFlush(path: string): LogFlush {
  if (path === ":memory:") {
    const nothing = async (): Promise<void> => undefined;
    return { flush: nothing, settled: nothing, close: nothing };
  }
  // SQLite writes to this file until the last connection closes. Open from the start, because a process may reach its limit of open files.
  const log = fs.openSync(`${path}-wal`, "r+");
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  async function sync(): Promise<void> {
    await endOfTurn();
    // Later commits may be too late for this flush.
    next = undefined;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    fs.fdatasync(log, (error) => {
      if (error === null) resolve();
      else reject(new Error(`SQLite's log of ${path} could not be written to disk`, { cause: error }));
    });
    return promise;
  }

  function begin(): Promise<void> {
    const flush = sync();
    running = flush;
    // A failed flush stays the running one.
    flush.then(() => (running = next && running)).catch(() => undefined);
    return flush;
  }

  const settled = async (): Promise<void> => next ?? running;
  return {
    flush: () => (running === undefined ? (next = begin()) : (next ??= running.then(begin))),
    settled,
    close: async () => {
      await settled().catch(() => undefined);
      fs.closeSync(log);
    },
  };
}
