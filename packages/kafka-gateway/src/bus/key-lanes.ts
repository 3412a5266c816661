export interface KeyLanesOptions<Item> {
  /** Maximum number of items in work. */
  readonly concurrency: number;
  readonly keyOf: (item: Item) => string;
  /** Resolves with the delay before the item runs again, milliseconds, or with undefined when it is done. Never rejects. */
  readonly run: (item: Item) => Promise<number | undefined>;
}

export type KeyLanes<Item> = ReturnType<typeof createKeyLanes<Item>>;

/** Runs items of one key in sequence, and those of different keys concurrently. A delayed item blocks only its key. */
export function createKeyLanes<Item>({ concurrency, keyOf, run }: KeyLanesOptions<Item>) {
  /** The unfinished items of each key. The first one runs or waits to run again. */
  const lanes = new Map<string, Item[]>();
  const ready: string[] = [];
  const waiting = new Map<string, NodeJS.Timeout>();
  let whenIdle: (() => void)[] = [];
  let running = 0;

  function fill(): void {
    while (running < concurrency) {
      const key = ready.shift();
      if (key === undefined) return;
      running += 1;
      void work(key);
    }
  }

  async function work(key: string): Promise<void> {
    const lane = lanes.get(key) ?? [];
    const retryAfterMs = await run(lane[0] as Item);
    running -= 1;
    if (retryAfterMs === undefined) finish(key, lane);
    else waiting.set(key, setTimeout(again, retryAfterMs, key));
    fill();
  }

  function finish(key: string, lane: Item[]): void {
    lane.shift();
    if (lane.length > 0) {
      ready.push(key);
      return;
    }
    lanes.delete(key);
    if (lanes.size > 0) return;
    for (const resolve of whenIdle) resolve();
    whenIdle = [];
  }

  function again(key: string): void {
    clearTimeout(waiting.get(key));
    waiting.delete(key);
    ready.push(key);
    fill();
  }

  return {
    add: (item: Item): void => {
      const key = keyOf(item);
      const lane = lanes.get(key);
      if (lane !== undefined) {
        lane.push(item);
        return;
      }
      lanes.set(key, [item]);
      ready.push(key);
      fill();
    },
    /** Runs delayed items now. */
    hurry: (): void => {
      for (const key of waiting.keys()) again(key);
    },
    /** Resolves when no items are left. */
    idle: (): Promise<void> =>
      lanes.size === 0 ? Promise.resolve() : new Promise((resolve) => void whenIdle.push(resolve)),
  };
}
