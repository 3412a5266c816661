import { isTransient } from "./is-transient.ts";

/** Writes many items in one transaction; gives one result for each, in their order. Writes all of them or, when it rejects, none. */
export type CommitGroup<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

export interface GroupCommitOptions<Item> {
  /** How many items one transaction takes at most (default 500). */
  readonly most?: number;
  /** How large an item is, about; one transaction takes 4 MB and one item more at the most. Without it all are small. */
  readonly sizeOf?: (item: Item) => number;
}

const mostBytes = 4_000_000;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets items that come at the same time share one transaction: while one is written, what arrives waits, and is written together
 * next. A lone item is written at once. Resolves when its item is written, as durable as `commit` makes it. A group that fails is
 * written again in halves, so that an item which cannot be written rejects alone; when the database was lost (`isTransient`), all items
 * of the group reject with that.
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
    // What makes it full goes along, unless it is one too many.
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
      // What else came in this turn of the event loop goes along: SQLite's commit would keep the loop, and the rest would be alone.
      setImmediate(() => void flush());
    });
}
