import { errorText } from "../values/text.ts";
import { stateOfFiles } from "./live-files.ts";

/** What files decide now. */
export interface FollowedFiles<Value> {
  /** Returns the value in force; the same object while the files are unchanged. */
  readonly current: () => Value;
  /** Stops following the files, after an edit that is being applied. */
  readonly close: () => Promise<void>;
}

export interface FollowFilesOptions<Value> {
  /** Without any, the value is read once. */
  readonly paths: readonly string[];
  /** Rejects when the files can't be used. An edit then waits for the next one. */
  readonly read: () => Promise<Value>;
  /** Stores the value's event in the audit log. The value binds once this has resolved. After a failure it is called again. */
  readonly store: (value: Value) => Promise<unknown>;
  /** Receives the value of an edit once it is in force. */
  readonly onApplied: (value: Value) => void;
  /** Receives the first failure of each edit. The value before stays in force. */
  readonly onFailure: (error: unknown) => void;
}

/** How often the files are checked, milliseconds. Polling detects swapped links and editors that replace a file. */
const everyMs = 250;

/** Reads files, and again after each edit, one edit at a time. Rejects when the first version can't be read or stored. */
export async function followFiles<Value>(options: FollowFilesOptions<Value>): Promise<FollowedFiles<Value>> {
  const { paths, read, store, onApplied, onFailure } = options;
  // The state comes first, so that a write during the read is noticed at the next check.
  let state = stateOfFiles(paths);
  let inForce = await read();
  await store(inForce);
  let pending: { readonly state: string; readonly value: Awaited<Value> } | undefined;
  let reported: string | undefined;
  let applying: Promise<void> | undefined;

  const apply = async (next: string): Promise<void> => {
    if (pending?.state !== next) {
      const value = await read().catch((error: unknown) => {
        state = next;
        throw error;
      });
      pending = { state: next, value };
    }
    const { value } = pending;
    await store(value).catch((cause: unknown) => {
      throw new Error(`it can't be stored: ${errorText(cause)}`, { cause });
    });
    [state, inForce] = [next, value];
    onApplied(value);
  };
  const look = (): void => {
    const next = stateOfFiles(paths);
    if (applying !== undefined || next === state) return;
    const failed = (error: unknown): void => {
      if (reported !== next) onFailure(error);
      reported = next;
    };
    applying = apply(next)
      .catch(failed)
      .finally(() => (applying = undefined));
  };
  const timer = paths.length > 0 ? setInterval(look, everyMs).unref() : undefined;
  return {
    current: () => inForce,
    close: async () => {
      clearInterval(timer);
      await applying;
    },
  };
}
