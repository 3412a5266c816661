import { AsyncLocalStorage } from "node:async_hooks";

/** A process of the simulation. All that it starts runs in its context, so that all of it ends with it. */
export interface Life {
  /** For the trace, such as `verification 2`. */
  readonly name: string;
  readonly zone: "verification" | "execution";
  readonly isAlive: boolean;
  /** It does nothing before this time: it stands still. */
  frozenUntil: number;
  /** Ends it as `kill -9` does: none of its timers fires any more, and no call of its ports returns. */
  readonly die: () => void;
  /** Runs in the moment of its end. */
  readonly onDeath: (run: () => void) => void;
}

/** Thrown into a process that has just died, where it cannot be kept waiting for ever. */
export class DeadProcessError extends Error {
  override readonly name = "DeadProcessError";
}

const current = new AsyncLocalStorage<Life | undefined>();

/** The process whose code runs now; undefined for the world around. */
export const currentLife = (): Life | undefined => current.getStore();

/** Runs a function as part of a process, or of the world around. */
export const runIn = <T>(life: Life | undefined, run: () => T): T => current.run(life, run);

/** Never resolves. */
export const never = new Promise<never>(() => undefined);

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
      for (const end of endings) runIn(undefined, end);
    },
    onDeath: (run) => void endings.push(run),
  };
}
