import { AsyncLocalStorage } from "node:async_hooks";
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers";
import timersPromises from "node:timers/promises";
import { replaceMembers } from "./seeded-random.ts";

/** The agenda of the simulation. After `passVirtualTime`, all timers and clocks of this Node process use it. */
export const agenda = createAgenda();

/** Resolves after this virtual time. */
export const wait = (ms: number): Promise<void> => new Promise((resolve) => void agenda.plan(ms, resolve));

/** The return value of `setTimeout`. */
class VirtualTimer {
  #entry: Entry;
  readonly #ms: number;
  readonly #run: () => void;

  constructor(ms: number, run: () => void) {
    this.#ms = ms;
    this.#run = run;
    this.#entry = agenda.plan(ms, run);
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  refresh(): this {
    this.close();
    this.#entry = agenda.plan(this.#ms, this.#run);
    return this;
  }

  close(): this {
    agenda.cancel(this.#entry);
    return this;
  }

  [Symbol.dispose](): void {
    this.close();
  }

  [Symbol.toPrimitive](): number {
    return this.#entry.order;
  }
}

type Run = (...args: unknown[]) => void;

const least = (ms: unknown): number => Math.max(1, Math.min(2 ** 31 - 1, Math.ceil(Number(ms) || 0)));

const virtual = {
  setTimeout: (run: Run, ms?: number, ...args: unknown[]) => new VirtualTimer(least(ms), () => run(...args)),
  setImmediate: (run: Run, ...args: unknown[]) => new VirtualTimer(0, () => run(...args)),
  setInterval: (run: Run, ms?: number, ...args: unknown[]) => {
    const timer: VirtualTimer = new VirtualTimer(least(ms), () => {
      timer.refresh();
      run(...args);
    });
    return timer;
  },
};

interface Waiting {
  readonly signal?: AbortSignal;
}

/** `setTimeout` and `setImmediate` of `node:timers/promises`. */
function waitFor<T>(ms: number, value: T, { signal }: Waiting = {}): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      timer.close();
      const cause = signal?.reason as unknown;
      reject(
        Object.assign(new Error("The operation was aborted", { cause }), { name: "AbortError", code: "ABORT_ERR" }),
      );
    };
    const timer = new VirtualTimer(ms, () => {
      signal?.removeEventListener("abort", abort);
      resolve(value);
    });
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}

function timeoutSignal(ms: number): AbortSignal {
  const controller = new AbortController();
  const reason = new DOMException("The operation was aborted due to timeout", "TimeoutError");
  void new VirtualTimer(ms, () => controller.abort(reason));
  return controller.signal;
}

let isVirtual = false;

/** Makes time virtual: it passes only as the agenda says. This cannot be undone. */
export function passVirtualTime(): void {
  isVirtual = true;
}

const pause = (ms: number, value?: unknown, options?: Waiting): Promise<unknown> => waitFor(least(ms), value, options);
const clearing = (real: (timer: never) => void) => (timer: unknown) =>
  timer instanceof VirtualTimer ? timer.close() : real(timer as never);

/** Replaces every timer and clock of this Node process, for modules that are loaded later. */
export function replaceTimers(): void {
  const RealDate = Date;
  const realNow = Date.now;
  class VirtualDate extends RealDate {
    constructor(...args: [] | [number]) {
      if (args.length === 0) super(VirtualDate.now());
      else super(...args);
    }

    static override now(): number {
      return isVirtual ? agenda.now() : realNow();
    }
  }
  const clears = {
    clearTimeout: clearing(clearTimeout),
    clearInterval: clearing(clearInterval),
    clearImmediate: clearing(clearImmediate),
  };
  const replace = (module: object, members: Parameters<typeof replaceMembers>[1]): void =>
    replaceMembers(module, members, () => isVirtual);
  for (const module of [globalThis, timers]) replace(module, { ...virtual, ...clears });
  replace(timersPromises, {
    setTimeout: pause,
    setImmediate: (value: unknown, options?: Waiting) => waitFor(0, value, options),
  });
  globalThis.Date = VirtualDate as DateConstructor;
  replace(performance, { now: () => agenda.now() });
  replace(AbortSignal, { timeout: timeoutSignal });
  syncBuiltinESMExports();
}

/** An event that will happen. */
interface Entry {
  at: number;
  order: number;
  readonly life: Life | undefined;
  run: (() => void) | undefined;
}

/** The real `setImmediate`: it lets everything run that needs no timer. */
const turn = globalThis.setImmediate;

/** All future events by their time. Events of the same millisecond keep the order in which they were planned. */
function createAgenda() {
  let now = 0;
  let order = 0;
  /** The next event is the last entry. */
  let entries: Entry[] = [];

  function insert(entry: Entry): void {
    const isLater = (other: Entry): boolean =>
      other.at > entry.at || (other.at === entry.at && other.order > entry.order);
    let [from, to] = [0, entries.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (isLater(entries[middle] as Entry)) from = middle + 1;
      else to = middle;
    }
    entries.splice(from, 0, entry);
  }

  /** Returns the next event of a process that still lives. */
  function next(): Entry | undefined {
    let entry = entries.pop();
    while (entry !== undefined && (entry.run === undefined || entry.life?.isAlive === false)) entry = entries.pop();
    return entry;
  }

  return {
    /** Unix milliseconds. */
    now: () => now,
    /** Plans an event for the process that calls this. */
    plan: (afterMs: number, run: () => void): Entry => {
      const entry: Entry = { at: now + Math.max(0, afterMs), order: (order += 1), life: currentLife(), run };
      insert(entry);
      return entry;
    },
    cancel: (entry: Entry): void => {
      entry.run = undefined;
    },
    /** Lets time pass until `isOver`, which is checked after each event, or until no event is left. */
    pass: async (isOver: () => boolean): Promise<void> => {
      for (;;) {
        await new Promise((resolve) => turn(resolve));
        if (isOver()) return;
        const entry = next();
        if (entry === undefined) return;
        now = Math.max(now, entry.at);
        const { life, run } = entry;
        if (life !== undefined && life.frozenUntil > now) {
          entry.at = life.frozenUntil;
          insert(entry);
          continue;
        }
        entry.run = undefined;
        if (run !== undefined) runIn(life, run);
      }
    },
    /** Forgets all events and sets the time, Unix milliseconds. */
    begin: (at: number): void => {
      [now, order, entries] = [at, 0, []];
    },
  };
}

/** A process of the simulation. Everything that it starts runs in its async context and ends with it. */
export interface Life {
  /** Name in the trace, such as `verification 2`. */
  readonly name: string;
  readonly zone: "verification" | "execution";
  readonly isAlive: boolean;
  /** The process is suspended until this time. */
  frozenUntil: number;
  /** Ends it like `kill -9`: its timers don't fire, and calls of its ports don't return. */
  readonly die: () => void;
  /** Calls `run` when it ends. */
  readonly onDeath: (run: () => void) => void;
}

/** Thrown in a dead process by calls that cannot stay pending. */
export class DeadProcessError extends Error {
  override readonly name = "DeadProcessError";
}

const current = new AsyncLocalStorage<Life | undefined>();

/** Returns the process whose code is running, or undefined outside of processes. */
export const currentLife = (): Life | undefined => current.getStore();

/** Runs a function in a process, or outside of processes. */
export const runIn = <T>(life: Life | undefined, run: () => T): T => current.run(life, run);

/** Returns a promise that never resolves: each caller has its own, since a promise keeps everything that waits for it. */
export const never = (): Promise<never> => new Promise(() => undefined);

export function beginLife(name: string, zone: Life["zone"]): Life {
  const endings: (() => void)[] = [];
  let isAlive = true;
  return {
    name,
    zone,
    frozenUntil: 0,
    get isAlive() {
      return isAlive;
    },
    die: () => {
      if (!isAlive) return;
      isAlive = false;
      for (const end of endings.splice(0)) runIn(undefined, end);
    },
    onDeath: (run) => void endings.push(run),
  };
}
