/** Lets a few run at once, the others wait in order. */
export interface Slots {
  readonly use: <T>(work: () => Promise<T>) => Promise<T>;
}

export function createSlots(count: number): Slots {
  let free = count;
  const waiting: (() => void)[] = [];
  return {
    use: async (work) => {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => void waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else free++;
      }
    },
  };
}
