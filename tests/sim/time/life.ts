import { AsyncLocalStorage } from "node:async_hooks";

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
