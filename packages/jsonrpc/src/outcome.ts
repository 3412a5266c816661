import type { ErrorKind, JsonRpcId } from "@crosszone/contracts";

/** How one request or notification ended, for logs and metrics. Of a batch, each entry has its own. */
export interface Outcome {
  /** Undefined when the message was no request. */
  readonly method: string | undefined;
  /** Undefined in a notification. */
  readonly id: JsonRpcId | undefined;
  readonly correlationId: string;
  /** From the message's arrival to this outcome. */
  readonly durationMs: number;
  /** Bytes of the whole message. */
  readonly bytesIn: number;
  /** What was thrown. It may say what the answer does not, in its `cause` too. */
  readonly error: unknown;
  /** The code in the answer. Undefined when it went well. */
  readonly code: number | undefined;
  /** What is not a `ZoneError` counts as `internal`. Undefined when it went well. */
  readonly kind: ErrorKind | undefined;
}
