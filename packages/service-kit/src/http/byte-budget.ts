export interface ByteLimits {
  /** The most that all owners hold together. */
  readonly all: number;
  /** The most that one owner holds. A single larger content needs an owner that holds nothing else. */
  readonly each: number;
  /** How long a request waits for room, milliseconds. */
  readonly waitMs: number;
}

/** What one request holds. */
export interface HeldBytes {
  /** Holds this many bytes instead of those before. Resolves with false, and holds nothing, when there is no room in time or it is closed. */
  readonly take: (bytes: number) => Promise<boolean>;
  readonly release: () => void;
  /** Releases, for good. */
  readonly close: () => void;
}

interface Waiting {
  readonly owner: string;
  readonly bytes: number;
  readonly end: (hasRoom: boolean) => void;
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
  #waiting: Waiting[] = [];

  constructor(limits: ByteLimits) {
    this.#limits = limits;
  }

  /** Opens what one request holds. Close it. */
  open(owner: string): HeldBytes {
    let held = 0;
    let isClosed = false;
    const release = (): void => {
      if (held > 0) this.#add(owner, -held);
      held = 0;
    };
    return {
      take: async (bytes) => {
        release();
        if (isClosed || !(await this.#hasRoom(owner, bytes))) return false;
        held += bytes;
        if (isClosed) release();
        return !isClosed;
      },
      release,
      close: () => {
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
