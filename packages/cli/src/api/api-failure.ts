import type { ParamProblem, Problem } from "@crosszone/contracts";

export interface FailureOptions {
  readonly cause?: unknown;
  /** Delay before the next attempt that the zone asks for, milliseconds. */
  readonly pauseMs?: number | undefined;
  /** Whether the same request can succeed later. */
  readonly isPassing?: boolean;
}

/** HTTP statuses of a busy zone, and of a proxy in front of one. */
const passing = new Set([429, 502, 503, 504]);

/** The zone can't be reached, or the server at its address is not an execution zone. */
export class UnreachableError extends Error {
  override readonly name = "UnreachableError";
  readonly pauseMs: number | undefined;
  readonly isPassing: boolean;

  constructor(message: string, { cause, pauseMs, isPassing = true }: FailureOptions = {}) {
    super(message, { cause });
    this.pauseMs = pauseMs;
    this.isPassing = isPassing;
  }
}

/** The zone refused the request. The message is the zone's reason. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
  /** The last part of the problem's type, e.g. `invalid-input`. */
  readonly kind: string;
  readonly problems: readonly ParamProblem[];
  readonly pauseMs: number | undefined;
  readonly isPassing: boolean;

  constructor({ type, title, detail, status, problems = [], correlation_id }: Problem, pauseMs?: number) {
    // The message lists the problems instead of the detail, which only refers to them.
    const sentences = [title, problems.length > 0 ? undefined : detail]
      .filter((text) => text !== undefined)
      .map((text) => text.replace(/\.?$/, "."));
    const id = correlation_id !== undefined && status >= 500 ? ` Correlation id: ${correlation_id}.` : "";
    super(sentences.join(" ") + id);
    this.kind = type.slice(type.lastIndexOf("/") + 1);
    this.problems = problems;
    this.pauseMs = pauseMs;
    this.isPassing = passing.has(status);
  }
}

export type ApiFailure = UnreachableError | RefusedError;

export const isApiFailure = (error: unknown): error is ApiFailure =>
  error instanceof UnreachableError || error instanceof RefusedError;
