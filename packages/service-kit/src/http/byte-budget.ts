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

/** How long one body at a time may arrive although there is no room, milliseconds. A longer one is a slow sender's. */
const turnMs = 500;

/** What bodies of senders that have not proved themselves hold while they arrive, bytes: of all, and of one address. */
export const arrivingBytes: ByteLimits = { all: 32_000_000, each: 8_000_000, waitMs: 2_000 };

/** A request and what it holds. */
interface Holder {
  readonly owner: string;
  held: number;
  isClosed: boolean;
  isArriving: boolean;
  /** Its turn ended before its body did. */
  isLate: boolean;
}

interface Paused {
  readonly holder: Holder;
  readonly end: (mayGoOn: boolean) => void;
}

/** Bytes, of all owners and of each. */
class Tally {
  all = 0;
  readonly #ofOwner = new Map<string, number>();

  of(owner: string): number {
    return this.#ofOwner.get(owner) ?? 0;
  }

  add(owner: string, bytes: number): void {
    const sum = this.of(owner) + bytes;
    if (sum === 0) this.#ofOwner.delete(owner);
    else this.#ofOwner.set(owner, sum);
    this.all += bytes;
  }
}

/**
 * Limits the bytes that requests hold in memory at once, of each owner and of all. Requests of one owner get room in their order, so many large
 * ones are processed one after the other.
 */
export class ByteBudget {
  readonly #limits: ByteLimits;
  readonly #held = new Tally();
  /** What is held of bodies that have not arrived whole. */
  readonly #arriving = new Tally();
  #waiting: { readonly owner: string; readonly bytes: number; readonly end: (hasRoom: boolean) => void }[] = [];
  #paused: readonly Paused[] = [];
  #turn: { readonly holder: Holder; readonly timer: NodeJS.Timeout } | undefined;

  constructor(limits: ByteLimits) {
    this.#limits = limits;
  }

  /** Opens what one request holds. Close it. */
  open(owner: string) {
    const holder: Holder = { owner, held: 0, isClosed: false, isArriving: false, isLate: false };
    const whole = (): void => {
      if (holder.isArriving) this.#arriving.add(owner, -holder.held);
      holder.isArriving = false;
      if (this.#turn?.holder === holder) this.#endTurn();
    };
    const release = (): void => {
      whole();
      const { held } = holder;
      holder.held = 0;
      if (held === 0) return;
      this.#held.add(owner, -held);
      this.#grant();
    };
    return {
      /** Holds this many bytes instead of those before. Resolves with false, and holds nothing, when there is no room in time or it is closed. */
      take: async (bytes: number): Promise<boolean> => {
        release();
        if (holder.isClosed || !(await this.#hasRoom(owner, bytes))) return false;
        holder.held += bytes;
        if (holder.isClosed) release();
        return !holder.isClosed;
      },
      /**
       * Holds bytes of a body that have arrived, besides those before. Returns or resolves with whether more may arrive: false when there is no
       * room in time. While bodies that have not arrived whole take all room, one at a time goes on, so that slow senders can't keep others out.
       */
      arrived: (bytes: number): Promise<boolean> | boolean => {
        if (holder.isClosed) return false;
        this.#held.add(owner, bytes);
        this.#arriving.add(owner, holder.isArriving ? bytes : holder.held + bytes);
        holder.held += bytes;
        holder.isArriving = true;
        return this.#mayGoOn(holder);
      },
      /** The body has arrived whole. */
      whole,
      release,
      /** Releases, for good. */
      close: (): void => {
        holder.isClosed = true;
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

  #mayGoOn(holder: Holder): Promise<boolean> | boolean {
    if (this.#fits(holder) || this.#hasTurn(holder)) return true;
    if (holder.isLate || this.#paused.length >= mostWaiting) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const one: Paused = { holder, end: resolve };
    const timer = setTimeout(() => {
      this.#paused = this.#paused.filter((other) => other !== one);
      resolve(false);
    }, this.#limits.waitMs);
    this.#paused = [...this.#paused, one];
    return promise.finally(() => clearTimeout(timer));
  }

  /** Whether what is held leaves room for what a request holds, which may be all. `inTurn`: other bodies that have not arrived whole don't count. */
  #fits({ owner, held }: Holder, inTurn = false): boolean {
    const { all, each } = this.#limits;
    const ofOwner = this.#held.of(owner) - (inTurn ? this.#arriving.of(owner) - held : 0);
    const ofAll = this.#held.all - (inTurn ? this.#arriving.all - held : 0);
    return (ofOwner <= each || ofOwner === held) && (ofAll <= all || ofAll === held);
  }

  /** Whether the body of a request is the one that goes on without room, as long as whole ones leave room for it. */
  #hasTurn(holder: Holder): boolean {
    if (this.#turn !== undefined && this.#turn.holder !== holder) return false;
    if (holder.isLate || !this.#fits(holder, true)) return false;
    const end = (): void => {
      holder.isLate = true;
      this.#endTurn();
    };
    this.#turn ??= { holder, timer: setTimeout(end, turnMs).unref() };
    return true;
  }

  #endTurn(): void {
    clearTimeout(this.#turn?.timer);
    this.#turn = undefined;
    this.#grant();
  }

  /** Gives room to those that wait, first come first served. One that has to wait for its own program keeps no other program waiting. */
  #grant(): void {
    const { all, each } = this.#limits;
    this.#paused = this.#paused.filter(({ holder, end }) => {
      const { isClosed } = holder;
      const isOver = isClosed || this.#fits(holder);
      if (isOver) end(!isClosed);
      return !isOver;
    });
    this.#giveTurn();
    const behind = new Set<string>();
    let isFull = false;
    this.#waiting = this.#waiting.filter(({ owner, bytes, end }) => {
      const held = this.#held.of(owner);
      if (behind.has(owner) || (held > 0 && held + bytes > each)) {
        behind.add(owner);
        return true;
      }
      isFull ||= this.#held.all > 0 && this.#held.all + bytes > all;
      if (isFull) return true;
      this.#held.add(owner, bytes);
      end(true);
      return false;
    });
  }

  /** Gives the turn to the smallest body: what a slow sender holds of a large one must not keep out a small one. */
  #giveTurn(): void {
    if (this.#turn !== undefined || this.#paused.length === 0) return;
    const tried = new Set<string>();
    const smallestFirst = this.#paused.toSorted((one, other) => one.holder.held - other.holder.held);
    const next = smallestFirst.find(({ holder }) => {
      if (tried.has(holder.owner)) return false;
      tried.add(holder.owner);
      return this.#hasTurn(holder);
    });
    this.#paused = this.#paused.filter((one) => one !== next);
    next?.end(true);
  }
}

/** What one request holds. */
export type HeldBytes = ReturnType<ByteBudget["open"]>;
