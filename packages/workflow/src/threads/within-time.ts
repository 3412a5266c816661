import { createContext, Script } from "node:vm";

/** A computation took too long and was stopped. */
export class TimeLimitError extends Error {
  override readonly name = "TimeLimitError";
}

const frame = createContext({ run: undefined as unknown });
const script = new Script("run()");

/**
 * Runs code that nothing else can interrupt, such as a malicious pattern. Throws a TimeLimitError after this time, milliseconds. Calls
 * cannot be nested. https://nodejs.org/api/vm.html#scriptrunincontextcontextifiedobject-options
 */
export function withinTime<Value>(timeout: number, run: () => Value): Value {
  let result: { readonly value: Value } | undefined;
  frame.run = (): void => void (result = { value: run() });
  try {
    script.runInContext(frame, { timeout });
  } catch (error) {
    if ((error as { code?: unknown } | undefined)?.code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new TimeLimitError(`took longer than ${String(timeout)} ms`);
  } finally {
    frame.run = undefined;
  }
  return (result as { readonly value: Value }).value;
}
