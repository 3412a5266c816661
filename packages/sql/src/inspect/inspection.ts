import { isAdditive } from "../additive-step.ts";

/** What a database shows of itself, to whoever looks and changes nothing. */
export interface Inspection {
  /** `PostgreSQL 18.1`, `SQLite 3.51.0`. */
  readonly version: string;
  /** It is older than what the zones need. */
  readonly tooOld: boolean;
  /** The connection is encrypted; absent where there is none to encrypt. */
  readonly tls?: boolean;
  /** How far its clock is ahead of this machine's, milliseconds; absent when it is this machine's. */
  readonly clockAheadMs?: number;
  /** Steps of its tables' history that this program knows: how many were done, and which the next start does. */
  readonly done: number;
  readonly pending: readonly string[];
  /** Steps of a newer program: those that only added, with which this program works, and the others. */
  readonly added: readonly string[];
  readonly unknown: readonly string[];
}

/** Sorts the steps that a database has seen by those that the program knows. */
export function compareSteps(
  known: readonly string[],
  seen: readonly string[],
): Pick<Inspection, "done" | "pending" | "added" | "unknown"> {
  const pending = known.filter((step) => !seen.includes(step));
  const newer = seen.filter((step) => !known.includes(step));
  const added = pending.length > 0 ? [] : newer.filter(isAdditive);
  return {
    done: known.length - pending.length,
    pending,
    added,
    unknown: newer.filter((step) => !added.includes(step)),
  };
}
