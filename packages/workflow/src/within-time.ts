import { createContext, Script } from "node:vm";

export class ComputationTimeoutError extends Error {
  override readonly name = "TimeLimitError";
}

const frame = createContext({ run: undefined as unknown });
const script = new Script("run()");

/** How much longer a computation may take on a busy machine. */
const busyFactor = 4;

/**
 * Runs code that nothing else can interrupt, such as a malicious pattern. Throws a TimeLimitError after this time, milliseconds. If a busy
 * machine gave this thread less than that of its CPU, the code runs once more, with more time, so it must be repeatable. Calls cannot be
 * nested. https://nodejs.org/api/vm.html#scriptrunincontextcontextifiedobject-options
 */
export function withinTime<Value>(limitMs: number, run: () => Value): Value {
  let result: { readonly value: Value } | undefined;
  frame.run = (): void => void (result = { value: run() });
  const isInTime = (timeout: number): boolean => {
    const before = process.threadCpuUsage();
    try {
      script.runInContext(frame, { timeout });
      return true;
    } catch (error) {
      if ((error as { code?: unknown } | undefined)?.code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      const { user, system } = process.threadCpuUsage(before);
      if (timeout > limitMs || (user + system) / 1_000 > limitMs * 0.9)
        throw new ComputationTimeoutError(`took longer than ${String(limitMs)} ms`);
      return false;
    }
  };
  try {
    if (!isInTime(limitMs)) isInTime(limitMs * busyFactor);
  } finally {
    frame.run = undefined;
  }
  return (result as unknown as { readonly value: Value }).value;
}

/** Returns a memoized `make` that caches the `most` recently used values: the same object for the same text. */
export function recently<Value>(most: number, make: (text: string) => Value): (text: string) => Value {
  const made = new Map<string, { readonly value: Value }>();
  return (text) => {
    const found = made.get(text) ?? { value: make(text) };
    made.delete(text);
    made.set(text, found);
    for (const [oldest] of made) {
      if (made.size <= most) break;
      made.delete(oldest);
    }
    return found.value;
  };
}
