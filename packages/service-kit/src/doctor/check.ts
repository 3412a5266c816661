/** What a check came to. A warning is nothing broken, yet something that an operator should know. */
export type FindingStatus = "passed" | "warned" | "failed" | "skipped";

/** What a check says. Never holds a secret: it is shown to whoever runs the doctor, and pasted into tickets. */
export interface Finding {
  readonly status: FindingStatus;
  /** What is so, in one line. */
  readonly says: string;
  /** What to do about it, a sentence each. */
  readonly todo: readonly string[];
}

/** One question that the doctor asks of a configuration and of the peers that it names. */
export interface Check {
  /** Short words, unique within a list: `slack scopes`. */
  readonly name: string;
  /** Names of earlier checks without which this one can say nothing. */
  readonly needs?: readonly string[];
  /** The variables that it looks at. It is skipped when one of them cannot be read. */
  readonly reads?: readonly string[];
  readonly run: (signal: AbortSignal) => Finding | Promise<Finding>;
}

export const passed = (says: string): Finding => ({ status: "passed", says, todo: [] });
export const warned = (says: string, ...todo: string[]): Finding => ({ status: "warned", says, todo });
export const failed = (says: string, ...todo: string[]): Finding => ({ status: "failed", says, todo });
export const skipped = (reason: string): Finding => ({ status: "skipped", says: reason, todo: [] });
