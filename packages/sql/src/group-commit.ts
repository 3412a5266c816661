/** Writes many items in one transaction; gives one result for each, in their order. */
export type CommitGroup<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

export interface GroupCommitOptions {
  /** How many items one transaction takes at most (default 500). */
  readonly most?: number;
}

/**
 * Lets items that come at the same time share one transaction: while one is written, what arrives waits, and is written together
 * next. A lone item is written at once. Resolves when its item is durable; when a group fails, each of its items rejects with that.
 */
export function createGroupCommit<Item, Result>(
  commit: CommitGroup<Item, Result>,
  { most = 500 }: GroupCommitOptions = {},
): (item: Item) => Promise<Result> {
  type Waiting = {
    readonly item: Item;
    readonly resolve: (result: Result) => void;
    readonly reject: (error: unknown) => void;
  };
  let waiting: Waiting[] = [];
  let flushing = false;

  async function flush(): Promise<void> {
    flushing = true;
    while (waiting.length > 0) {
      const group = waiting.splice(0, most);
      try {
        const results = await commit(group.map(({ item }) => item));
        group.forEach(({ resolve }, index) => resolve(results[index] as Result));
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
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
