import type { ParamProblem, Problem } from "@crosszone/contracts";

export interface FailureOptions {
  readonly cause?: unknown;
  /** How long the zone asks to wait before the next attempt, milliseconds. */
  readonly pauseMs?: number | undefined;
  /** Whether the same request may succeed later. */
  readonly isPassing?: boolean;
}

/** What is said by a zone that cannot do it now, and by servers that stand before one. */
const passing = new Set([429, 502, 503, 504]);

/** The zone cannot be reached, or what answers at its address is not one. */
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

/** The zone understood the request and refused it. The message says why, in its words. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
  /** The last part of the problem's type, e.g. `invalid-input`. */
  readonly kind: string;
  readonly problems: readonly ParamProblem[];
  readonly pauseMs: number | undefined;
  readonly isPassing: boolean;

  constructor({ type, title, detail, status, problems = [], correlation_id }: Problem, pauseMs?: number) {
    // Problems are told one by one; the detail only points to where they stand in the answer.
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
