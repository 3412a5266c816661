/** The outcome of a check. A warning is something that an operator should know, although nothing is broken. */
export type FindingStatus = "passed" | "warned" | "failed" | "skipped";

/** The result of a check. Contains no secrets: it is shown to every user of the doctor and pasted into tickets. */
export interface Finding {
  readonly status: FindingStatus;
  /** The finding, in one line. */
  readonly says: string;
  /** What to do about it, one sentence each. */
  readonly todo: readonly string[];
}

/** One question that the doctor asks of a configuration and of the peers that it names. */
export interface Check {
  /** A short name, unique within a list: `slack scopes`. */
  readonly name: string;
  /** Earlier checks that must pass before this one can run. */
  readonly needs?: readonly string[];
  /** The variables that it reads. It is skipped when one of them is invalid. */
  readonly reads?: readonly string[];
  readonly run: (signal: AbortSignal) => Finding | Promise<Finding>;
}

export const passed = (says: string): Finding => ({ status: "passed", says, todo: [] });
export const warned = (says: string, ...todo: string[]): Finding => ({ status: "warned", says, todo });
export const failed = (says: string, ...todo: string[]): Finding => ({ status: "failed", says, todo });
export const skipped = (reason: string): Finding => ({ status: "skipped", says: reason, todo: [] });
