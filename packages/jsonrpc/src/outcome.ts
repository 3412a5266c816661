import type { ErrorKind, JsonRpcId } from "@crosszone/contracts";

/** The outcome of one request or notification, for logs and metrics. Each entry of a batch has its own. */
export interface Outcome {
  /** Undefined for an invalid message. */
  readonly method: string | undefined;
  /** Undefined for a notification. */
  readonly id: JsonRpcId | undefined;
  readonly correlationId: string;
  /** Time since the message arrived. */
  readonly durationMs: number;
  /** Size of the whole message, bytes. */
  readonly bytesIn: number;
  /** The thrown value. It can contain details that the response does not, also in its `cause`. */
  readonly error: unknown;
  /** The error code of the response. Undefined on success. */
  readonly code: number | undefined;
  /** The error kind; `internal` for anything but a `ZoneError`. Undefined on success. */
  readonly kind: ErrorKind | undefined;
}
