export interface TokenBucketOptions {
  /** Capacity of a bucket: the size of a burst. */
  readonly capacity: number;
  /** Tokens refilled each minute, up to the capacity. */
  readonly perMinute: number;
  /** Maximum number of stored buckets. The least recently used one is dropped, and is full again. */
  readonly most?: number;
  /** Monotonic milliseconds. Default: the process's clock. */
  readonly now?: () => number;
}

export interface TokenBuckets {
  /** Takes one token from the bucket of `key`. Returns 0 on success, otherwise the time until the next token, milliseconds. */
  take(key: string): number;
}

interface Bucket {
  tokens: number;
  at: number;
}

/** One token bucket for each key. https://en.wikipedia.org/wiki/Token_bucket */
export function createTokenBuckets(options: TokenBucketOptions): TokenBuckets {
  const { capacity, perMinute, most = 100_000, now = () => performance.now() } = options;
  const perMs = perMinute / 60_000;
  const buckets = new Map<string, Bucket>();
  let latest: string | undefined;

  /** Returns the bucket and moves it to the end of the map, which is in order of use. */
  function used(key: string, at: number): Bucket {
    const bucket = buckets.get(key) ?? { tokens: capacity, at };
    if (key === latest) return bucket;
    latest = key;
    buckets.delete(key);
    buckets.set(key, bucket);
    if (buckets.size > most) buckets.delete(buckets.keys().next().value as string);
    return bucket;
  }

  return {
    take: (key) => {
      const at = now();
      const bucket = used(key, at);
      bucket.tokens = Math.min(capacity, bucket.tokens + (at - bucket.at) * perMs);
      bucket.at = at;
      if (bucket.tokens < 1) return Math.ceil((1 - bucket.tokens) / perMs);
      bucket.tokens -= 1;
      return 0;
    },
  };
}
