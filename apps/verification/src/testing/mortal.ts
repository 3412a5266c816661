/** The point of a crash: before or after the effect number `at`, from 1. */
export interface Death {
  readonly at: number;
  /** Counts only effects with this name. */
  readonly effect?: string;
  readonly when: "before" | "after";
}

/** A process that crashes as with `kill -9`: none of its pending calls ever returns, so no `finally` runs. */
export interface Life {
  /** Its effects, in order. */
  readonly effects: string[];
  readonly died: Promise<"died">;
  /** Returns the port as this process sees it; the named methods count as effects. */
  readonly with: <T extends object>(port: T, name: string, effects: readonly (keyof T)[]) => T;
}

const never = new Promise<never>(() => undefined);

export interface LifeOptions {
  /** The process does not crash when absent. */
  readonly death?: Death | undefined;
  /** Called with the number of each finished effect, from 1. */
  readonly onEffect?: (number: number) => void;
}

/** Starts a process that can crash. */
export function createLife({ death, onEffect }: LifeOptions): Life {
  const effects: string[] = [];
  const { promise: died, resolve } = Promise.withResolvers<"died">();
  let dead = false;
  const isLastOf = ({ at, effect }: Death): boolean => {
    const counted = effects.filter((name) => name === (effect ?? name));
    return counted.length === at && effects.at(-1) === counted.at(-1);
  };
  const die = (): Promise<never> => {
    dead = true;
    resolve("died");
    return never;
  };

  return {
    effects,
    died,
    with: (port, name, counted) =>
      new Proxy(port, {
        get: (target, member: string & keyof typeof port) => {
          const method: unknown = target[member];
          if (typeof method !== "function") return method;
          return async (...given: unknown[]): Promise<unknown> => {
            if (dead) return never;
            const isEffect = counted.includes(member);
            if (isEffect) effects.push(`${name}.${member}`);
            const number = effects.length;
            const isLast = isEffect && death !== undefined && isLastOf(death);
            if (isLast && death.when === "before") return die();
            const [result] = await Promise.allSettled([method.apply(target, given) as unknown]);
            if (dead) return never;
            if (isEffect) onEffect?.(number);
            if (isLast) return die();
            if (result.status === "rejected") throw result.reason;
            return result.value;
          };
        },
      }),
  };
}
