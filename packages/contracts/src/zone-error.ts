import { errorTable } from "./generated/errors.ts";
import type { ErrorKind, ZoneErrorData } from "./generated/types.ts";

/** Details of an error besides its kind. They go on the wire, so they must contain nothing internal. */
export type ZoneErrorDetail = Partial<
  Pick<
    ZoneErrorData,
    | "correlation_id"
    | "task_id"
    | "agent"
    | "retry_after_ms"
    | "problems"
    | "progress"
    | "failed_run"
    | "agent_says"
    | "owner_detail"
  >
>;

/**
 * The error that domain code throws: a kind of the error catalog and public details. It is independent of the protocol; each wire surface
 * maps kinds to its codes. `cause` is for the log and never leaves the process.
 */
export class ZoneError extends Error {
  override readonly name = "ZoneError";
  readonly kind: ErrorKind;
  readonly data: ZoneErrorDetail;

  constructor(kind: ErrorKind, data: ZoneErrorDetail = {}, options: { cause?: unknown } = {}) {
    super(errorTable[kind].title, options);
    this.kind = kind;
    this.data = data;
  }

  /** Whether the same request can be sent again. */
  get retryable(): boolean {
    return errorTable[this.kind].retryable;
  }
}
