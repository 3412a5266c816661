/** Writes many items together; returns one result for each, in order. */
export type WriteGroup<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

export interface RunGroupsOptions<Item> {
  /** Maximum number of items in one group. */
  readonly most: number;
  /** Maximum number of groups under way. */
  readonly concurrency: number;
  /** Approximate size of an item, bytes. A group takes at most 4 MB plus one item. */
  readonly sizeOf: (item: Item) => number;
}

const mostBytes = 4_000_000;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets concurrent items share a write: items that arrive during writes are written together next. A run is in one group at a
 * time, and its items keep their order. All items of a failed group reject.
 */
export function createRunGroups<Item extends { readonly runId: string }, Result>(
  write: WriteGroup<Item, Result>,
  { most, concurrency, sizeOf }: RunGroupsOptions<Item>,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  const busy = new Set<string>();
  let underWay = 0;
  let isPlanned = false;

  function nextGroup(): readonly Waiting<Item, Result>[] {
    const group: Waiting<Item, Result>[] = [];
    const left: Waiting<Item, Result>[] = [];
    let bytes = 0;
    for (const one of waiting) {
      const fits = group.length < most && bytes <= mostBytes && !busy.has(one.item.runId);
      if (fits) bytes += sizeOf(one.item);
      (fits ? group : left).push(one);
    }
    waiting = left;
    return group;
  }

  async function run(group: readonly Waiting<Item, Result>[]): Promise<void> {
    const runs = new Set(group.map(({ item }) => item.runId));
    for (const id of runs) busy.add(id);
    underWay += 1;
    try {
      const results = await write(group.map(({ item }) => item));
      group.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      for (const { reject } of group) reject(error);
    } finally {
      for (const id of runs) busy.delete(id);
      underWay -= 1;
      flush();
    }
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
      // Includes the other items of this turn of the event loop.
      setImmediate(flush);
    });
}
