export interface TokenBucketOptions {
  /** Tokens that a full bucket holds: the size of a burst. */
  readonly capacity: number;
  /** Tokens that come back each minute, up to the capacity. */
  readonly perMinute: number;
  /** Buckets that are remembered at most; beyond it the one that was used longest ago is forgotten, and so is full again. */
  readonly most?: number;
  /** Monotonic milliseconds; the process's own when absent. */
  readonly now?: () => number;
}

export interface TokenBuckets {
  /** Takes one token from the bucket of `key`. 0 when there was one; else how long to wait for the next, milliseconds. */
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

  /** The bucket, moved to the end of the map: its order is the order of use. */
  function used(key: string, at: number): Bucket {
    const bucket = buckets.get(key) ?? { tokens: capacity, at };
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
