/**
 * Returns whether builds that do not know a step still work on its tables. The name says so: `0018_add_labels`. Such a step only adds:
 * tables, columns that may be empty or have a default, and indexes that are not unique. `migrationsContract` checks that.
 */
export const isAdditive = (step: string): boolean => /^\d{4}_add_[a-z]/.test(step);

/** The result of inspecting a database. */
export interface Inspection {
  /** `PostgreSQL 18.1`, `SQLite 3.51.0`. */
  readonly version: string;
  /** Whether it is older than the zones require. */
  readonly tooOld: boolean;
  /** Whether the connection is encrypted; absent for a local file. */
  readonly tls?: boolean;
  /** How far its clock is ahead of this machine's, milliseconds; absent for a local file. */
  readonly clockAheadMs?: number;
  /** Migration steps: the number of known steps that were applied, the pending ones, and the ones that only a newer program knows. */
  readonly done: number;
  readonly pending: readonly string[];
  /** Steps of a newer program: those that only added, with which this program works, and the others. */
  readonly added: readonly string[];
  readonly unknown: readonly string[];
}

/** Compares the applied steps of a database with those of the program. */
export function compareSteps(
  known: readonly string[],
  applied: readonly string[],
): Pick<Inspection, "done" | "pending" | "added" | "unknown"> {
  const pending = known.filter((step) => !applied.includes(step));
  const newer = applied.filter((step) => !known.includes(step));
  const added = pending.length > 0 ? [] : newer.filter(isAdditive);
  return {
    done: known.length - pending.length,
    pending,
    added,
    unknown: newer.filter((step) => !added.includes(step)),
  };
}
