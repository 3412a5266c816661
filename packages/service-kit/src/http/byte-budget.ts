interface ByteLimits {
  /** The most that all owners hold together. */
  readonly all: number;
  /** The most that one owner holds. A single larger content needs an owner that holds nothing else. */
  readonly each: number;
  /** How long a request waits for room, milliseconds. */
  readonly waitMs: number;
}

/** More requests than this don't wait. */
const mostWaiting = 1_000;

/**
 * Limits the bytes that requests hold in memory at once, of each owner and of all. Requests of one owner get room in their order, so many large
 * ones are processed one after the other.
 */
export class ByteBudget {
  readonly #limits: ByteLimits;
  readonly #ofOwner = new Map<string, number>();
  #held = 0;
  #waiting: { readonly owner: string; readonly bytes: number; readonly end: (hasRoom: boolean) => void }[] = [];

  constructor(limits: ByteLimits) {
    this.#limits = limits;
  }

  /** Opens what one request holds. Close it. */
  open(owner: string) {
    let held = 0;
    let isClosed = false;
    const release = (): void => {
      if (held > 0) this.#add(owner, -held);
      held = 0;
    };
    return {
      /** Holds this many bytes instead of those before. Resolves with false, and holds nothing, when there is no room in time or it is closed. */
      take: async (bytes: number): Promise<boolean> => {
        release();
        if (isClosed || !(await this.#hasRoom(owner, bytes))) return false;
        held += bytes;
        if (isClosed) release();
        return !isClosed;
      },
      release,
      /** Releases, for good. */
      close: (): void => {
        isClosed = true;
        release();
      },
    };
  }

  #hasRoom(owner: string, bytes: number): Promise<boolean> | boolean {
    if (bytes <= 0) return true;
    if (this.#waiting.length >= mostWaiting) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const one = { owner, bytes, end: resolve };
    const timer = setTimeout(() => {
      this.#waiting = this.#waiting.filter((other) => other !== one);
      resolve(false);
      this.#grant();
    }, this.#limits.waitMs);
    this.#waiting.push(one);
    this.#grant();
    return promise.finally(() => clearTimeout(timer));
  }

  #add(owner: string, bytes: number): void {
    const held = (this.#ofOwner.get(owner) ?? 0) + bytes;
    if (held === 0) this.#ofOwner.delete(owner);
    else this.#ofOwner.set(owner, held);
    this.#held += bytes;
    if (bytes < 0) this.#grant();
  }

  /** Gives room to those that wait, first come first served. One that has to wait for its own program keeps no other program waiting. */
  #grant(): void {
    const { all, each } = this.#limits;
    const behind = new Set<string>();
    let isFull = false;
    this.#waiting = this.#waiting.filter(({ owner, bytes, end }) => {
      const held = this.#ofOwner.get(owner) ?? 0;
      if (behind.has(owner) || (held > 0 && held + bytes > each)) {
        behind.add(owner);
        return true;
      }
      isFull ||= this.#held > 0 && this.#held + bytes > all;
      if (isFull) return true;
      this.#add(owner, bytes);
      end(true);
      return false;
    });
  }
}

/** What one request holds. */
export type HeldBytes = ReturnType<ByteBudget["open"]>;

/** One token bucket for each key. https://en.wikipedia.org/wiki/Token_bucket */
export function createTokenBuckets(options: {
  /** Tokens refilled each minute, up to the capacity. */
  readonly perMinute: number;
  /** Capacity of a bucket: the size of a burst. Default: `perMinute`. */
  readonly capacity?: number;
  /** Maximum number of stored buckets. The least recently used one is dropped, and is full again. */
  readonly most?: number;
  /** Monotonic milliseconds. Default: the process's clock. */
  readonly now?: () => number;
}) {
  const { perMinute, capacity = perMinute, most = 100_000, now = () => performance.now() } = options;
  const perMs = perMinute / 60_000;
  const buckets = new Map<string, { tokens: number; at: number }>();
  let latest: string | undefined;

  /** Returns the bucket and moves it to the end of the map, which is in order of use. */
  function used(key: string, at: number) {
    const bucket = buckets.get(key) ?? { tokens: capacity, at };
    if (key === latest) return bucket;
    latest = key;
    buckets.delete(key);
    buckets.set(key, bucket);
    if (buckets.size > most) buckets.delete(buckets.keys().next().value as string);
    return bucket;
  }

  return {
    /** Takes one token from the bucket of `key`. Returns 0 on success, otherwise the time until the next token, milliseconds. */
    take: (key: string): number => {
      const at = now();
      const bucket = used(key, at);
      bucket.tokens = Math.min(capacity, bucket.tokens + (at - bucket.at) * perMs);
      bucket.at = at;
      if (bucket.tokens < 1) return Math.ceil((1 - bucket.tokens) / perMs);
      bucket.tokens -= 1;
      return 0;
    },
    /** Gives back a token that was taken, if the bucket is still known. */
    giveBack: (key: string): void => {
      const bucket = buckets.get(key);
      if (bucket !== undefined) bucket.tokens = Math.min(capacity, bucket.tokens + 1);
    },
  };
}

export type TokenBuckets = ReturnType<typeof createTokenBuckets>;
