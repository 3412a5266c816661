/** How often one sender may do something. */
export interface Rate {
  /** Tokens refilled each minute, up to the capacity. */
  readonly perMinute: number;
  /** Capacity of a bucket: the size of a burst. Default: `perMinute`. */
  readonly capacity?: number;
}

/** One token bucket for each key. Without a rate of its own, a key has the usual one. https://en.wikipedia.org/wiki/Token_bucket */
export function createTokenBuckets(
  options: Rate & {
    /** Maximum number of stored buckets. The least recently used one is dropped, and is full again. */
    readonly most?: number;
    /** Monotonic milliseconds. Default: the process's clock. */
    readonly now?: () => number;
  },
) {
  const { most = 100_000, now = () => performance.now() } = options;
  const buckets = new Map<string, { tokens: number; at: number; capacity: number }>();
  let latest: string | undefined;

  /** Returns the bucket and moves it to the end of the map, which is in order of use. */
  function used(key: string, at: number, capacity: number) {
    const bucket = buckets.get(key) ?? { tokens: capacity, at, capacity };
    if (key === latest) return bucket;
    latest = key;
    buckets.delete(key);
    buckets.set(key, bucket);
    if (buckets.size > most) buckets.delete(buckets.keys().next().value as string);
    return bucket;
  }

  return {
    /** Takes one token from the bucket of `key`. Returns 0 on success, otherwise the time until the next token, milliseconds. */
    take: (key: string, { perMinute, capacity = perMinute }: Rate = options): number => {
      const [at, perMs] = [now(), perMinute / 60_000];
      const bucket = used(key, at, capacity);
      bucket.tokens = Math.min(capacity, bucket.tokens + (at - bucket.at) * perMs);
      bucket.at = at;
      bucket.capacity = capacity;
      if (bucket.tokens < 1) return Math.ceil((1 - bucket.tokens) / perMs);
      bucket.tokens -= 1;
      return 0;
    },
    /** Gives back a token that was taken, if the bucket is still known. */
    giveBack: (key: string): void => {
      const bucket = buckets.get(key);
      if (bucket !== undefined) bucket.tokens = Math.min(bucket.capacity, bucket.tokens + 1);
    },
  };
}

export type TokenBuckets = ReturnType<typeof createTokenBuckets>;

/** Limits what is held at the same time, of all owners and of each, so that one owner can't hold what all need. */
export function createShares({ all, each = all }: { readonly all: number; readonly each?: number }) {
  const held = new Map<string, number>();
  let sum = 0;
  return {
    /** Takes one share of an owner. Returns what gives it back, once; undefined when none is left. */
    take: (owner: string): (() => void) | undefined => {
      const count = held.get(owner) ?? 0;
      if (sum >= all || count >= each) return undefined;
      sum += 1;
      held.set(owner, count + 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        sum -= 1;
        const left = (held.get(owner) ?? 1) - 1;
        if (left === 0) held.delete(owner);
        else held.set(owner, left);
      };
    },
  };
}

export type Shares = ReturnType<typeof createShares>;
