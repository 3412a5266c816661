import { errorTable } from "./generated/errors.ts";
import type { ErrorKind, ZoneErrorData } from "./generated/types.ts";

/** What an error says beside its kind. Goes on the wire, so: nothing internal. */
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
 * What domain code throws: a kind from the error catalogue, and what may be told about it. It knows no protocol; each wire
 * surface has one map from kinds to its codes. `cause` is for the log and never leaves the process.
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

  /** Whether the same request may be sent again. */
  get retryable(): boolean {
    return errorTable[this.kind].retryable;
  }
}
