import { isTransient } from "./errors.ts";

interface GroupCommitOptions<Item> {
  /** Maximum number of items in one transaction (default 500). */
  readonly most?: number;
  /** Approximate size of an item, bytes. One transaction takes at most 4 MB plus one item. If absent, all items count as small. */
  readonly sizeOf?: (item: Item) => number;
  /** Maximum number of transactions under way (default 1). */
  readonly concurrency?: number;
  /** Items that share a key are in one transaction at a time, and keep their order. If absent, no items share a key. */
  readonly keysOf?: (item: Item) => readonly string[];
  /** Whether items that share a key are in different transactions. */
  readonly areApart?: boolean;
}

const mostBytes = 4_000_000;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets concurrent items share a transaction: items that arrive during a write are written together next. A single item is written at once.
 * Reads can share a query in the same way. Resolves when its item is written, as durable as `commit` makes it,
 * which returns one result for each item, in order, or rejects if none is written. A failed group is retried in
 * halves, so that an invalid item rejects alone. If the database was lost (`isTransient`), all items of the group reject.
 */
export function createGroupCommit<Item, Result>(
  commit: (items: readonly Item[]) => Promise<readonly Result[]>,
  { most = 500, sizeOf = () => 0, concurrency = 1, keysOf = () => [], areApart = false }: GroupCommitOptions<Item> = {},
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  const busy = new Set<string>();
  let underWay = 0;
  let isPlanned = false;

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
    const group: Waiting<Item, Result>[] = [];
    const left: Waiting<Item, Result>[] = [];
    const taken = new Set(busy);
    let bytes = 0;
    for (const one of waiting) {
      const keys = keysOf(one.item);
      const fits = group.length < most && bytes <= mostBytes && !keys.some((key) => taken.has(key));
      if (fits) bytes += sizeOf(one.item);
      if (areApart) for (const key of keys) taken.add(key);
      (fits ? group : left).push(one);
    }
    waiting = left;
    return group;
  }

  async function run(group: readonly Waiting<Item, Result>[]): Promise<void> {
    const keys = group.flatMap(({ item }) => keysOf(item));
    for (const key of keys) busy.add(key);
    underWay += 1;
    await write(group);
    underWay -= 1;
    for (const key of keys) busy.delete(key);
    flush();
  }

  function flush(): void {
    isPlanned = false;
    while (underWay < concurrency) {
      const group = nextGroup();
      if (group.length === 0) return;
      void run(group);
    }
  }

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isPlanned) return;
      isPlanned = true;
      // Includes the other items of this turn of the event loop: SQLite's commit would block the loop and leave them for a second one.
      setImmediate(flush);
    });
}
