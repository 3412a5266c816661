import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers";
import timersPromises from "node:timers/promises";
import { createAgenda, type Agenda, type Entry } from "./agenda.ts";

/** The agenda of the simulation. After `passVirtualTime`, all timers and clocks of this Node process use it. */
export const agenda: Agenda = createAgenda();

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
function wait<T>(ms: number, value: T, { signal }: Waiting = {}): Promise<T> {
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

type Any = (...args: never[]) => unknown;

/** Replaces members of a module. The new ones take effect when time is virtual. */
function replace(module: object, members: Readonly<Record<string, Any>>): void {
  for (const [name, member] of Object.entries(members)) {
    const real = (module as Record<string, Any>)[name];
    if (real === undefined) throw new TypeError(`no ${name} to replace`);
    const value = function (this: unknown, ...args: never[]): unknown {
      return isVirtual ? member(...args) : real.apply(this, args);
    };
    Object.defineProperties(value, Object.getOwnPropertyDescriptors(real));
    Object.defineProperty(module, name, { value, configurable: true, writable: true });
  }
}

const pause = (ms: number, value?: unknown, options?: Waiting): Promise<unknown> => wait(least(ms), value, options);
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
  for (const module of [globalThis, timers]) replace(module, { ...virtual, ...clears });
  replace(timersPromises, {
    setTimeout: pause,
    setImmediate: (value: unknown, options?: Waiting) => wait(0, value, options),
  });
  globalThis.Date = VirtualDate as DateConstructor;
  replace(performance, { now: () => agenda.now() });
  replace(AbortSignal, { timeout: timeoutSignal });
  syncBuiltinESMExports();
}
