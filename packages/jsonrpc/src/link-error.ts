/**
 * What can go wrong between client and server. `unreachable`: the message did not get there; `timeout`: no answer in time;
 * `aborted`: the caller gave up; `invalid_response`: an answer that breaks the contract; `server_error`: an error of no known kind.
 */
export const linkErrorKinds = ["unreachable", "timeout", "aborted", "invalid_response", "server_error"] as const;

export type LinkErrorKind = (typeof linkErrorKinds)[number];

/** What more is known of a failed call. */
export interface LinkErrorDetail {
  readonly cause?: unknown;
  /** JSON-RPC error code, with `server_error`. */
  readonly code?: number | undefined;
  readonly httpStatus?: number | undefined;
  /** Overrides what the kind says. */
  readonly retryable?: boolean | undefined;
}

const retryableKinds: ReadonlySet<LinkErrorKind> = new Set(["unreachable", "timeout"]);

/** A call that got no usable answer, as the client sees it. What the server itself says went wrong is a `ZoneError`. */
export class LinkError extends Error {
  override readonly name = "LinkError";
  readonly kind: LinkErrorKind;
  readonly code: number | undefined;
  readonly httpStatus: number | undefined;
  /** Whether the same request, with the same id, may be sent again. By default for `unreachable` and `timeout`. */
  readonly retryable: boolean;

  constructor(kind: LinkErrorKind, message: string, detail: LinkErrorDetail = {}) {
    super(message, detail);
    this.kind = kind;
    this.code = detail.code;
    this.httpStatus = detail.httpStatus;
    this.retryable = detail.retryable ?? retryableKinds.has(kind);
  }
}
