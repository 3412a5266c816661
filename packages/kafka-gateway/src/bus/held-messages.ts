/** Limits the fetched, unfinished messages by number and bytes. */
export interface HeldMessages {
  /** Resolves when there is room for another one. */
  readonly room: () => Promise<void>;
  readonly add: (bytes: number) => void;
  readonly remove: (bytes: number) => void;
  /** Resolves all waits for room. */
  readonly release: () => void;
}

export function createHeldMessages(most: { readonly count: number; readonly bytes: number }): HeldMessages {
  let count = 0;
  let bytes = 0;
  let waiting: (() => void)[] = [];
  const release = (): void => {
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  // One message is always accepted, whatever its size.
  const isFull = (): boolean => count > 0 && (count >= most.count || bytes >= most.bytes);
  return {
    room: () => (isFull() ? new Promise((resolve) => void waiting.push(resolve)) : Promise.resolve()),
    add: (size) => {
      count += 1;
      bytes += size;
    },
    remove: (size) => {
      count -= 1;
      bytes -= size;
      if (!isFull()) release();
    },
    release,
  };
}
