import { isTransient } from "./errors.ts";

/** Writes many items in one transaction; returns one result for each, in order. Rejects if none is written. */
export type CommitGroup<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

export interface GroupCommitOptions<Item> {
  /** Maximum number of items in one transaction (default 500). */
  readonly most?: number;
  /** Approximate size of an item, bytes. One transaction takes at most 4 MB plus one item. If absent, all items count as small. */
  readonly sizeOf?: (item: Item) => number;
}

const mostBytes = 4_000_000;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets concurrent items share a transaction: items that arrive during a write are written together next. A single item is written at once.
 * Resolves when its item is written, as durable as `commit` makes it. A failed group is retried in halves, so that an invalid item rejects
 * alone. If the database was lost (`isTransient`), all items of the group reject.
 */
export function createGroupCommit<Item, Result>(
  commit: CommitGroup<Item, Result>,
  { most = 500, sizeOf = () => 0 }: GroupCommitOptions<Item> = {},
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let flushing = false;

  async function write(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await commit(group.map(({ item }) => item));
      if (results.length !== group.length) throw new Error(`${results.length} results for ${group.length} items`);
      group.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      if (group.length === 1 || isTransient(error)) {
        for (const { reject } of group) reject(error);
        return;
      }
      const half = Math.ceil(group.length / 2);
      await write(group.slice(0, half));
      await write(group.slice(half));
    }
  }

  function nextGroup(): readonly Waiting<Item, Result>[] {
    let bytes = 0;
    const full = waiting.findIndex(({ item }, index) => index === most || (bytes += sizeOf(item)) > mostBytes);
    // Includes the item that fills it, unless that would exceed the count.
    return waiting.splice(0, full === -1 ? waiting.length : Math.min(most, full + 1));
  }

  async function flush(): Promise<void> {
    while (waiting.length > 0) await write(nextGroup());
    flushing = false;
  }

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (flushing) return;
      flushing = true;
      // Includes the other items of this turn of the event loop: SQLite's commit would block the loop and leave them for a second one.
      setImmediate(() => void flush());
    });
}
