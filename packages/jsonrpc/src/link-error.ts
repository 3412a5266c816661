/**
 * Failures between client and server. `unreachable`: the message was not delivered; `timeout`: no response in time; `aborted`: the caller
 * gave up; `invalid_response`: the response breaks the contract; `server_error`: an error of unknown kind.
 */
export const linkErrorKinds = ["unreachable", "timeout", "aborted", "invalid_response", "server_error"] as const;

export type LinkErrorKind = (typeof linkErrorKinds)[number];

/** Details of a failed call. */
export interface LinkErrorDetail {
  readonly cause?: unknown;
  /** JSON-RPC error code of a `server_error`. */
  readonly code?: number | undefined;
  readonly httpStatus?: number | undefined;
  /** Overrides the default of the kind. */
  readonly retryable?: boolean | undefined;
}

const retryableKinds: ReadonlySet<LinkErrorKind> = new Set(["unreachable", "timeout"]);

/** A call without a usable response. An error that the server itself reports is a `ZoneError`. */
export class LinkError extends Error {
  override readonly name = "LinkError";
  readonly kind: LinkErrorKind;
  readonly code: number | undefined;
  readonly httpStatus: number | undefined;
  /** Whether the same request, with the same id, can be sent again. Default: true for `unreachable` and `timeout`. */
  readonly retryable: boolean;

  constructor(kind: LinkErrorKind, message: string, detail: LinkErrorDetail = {}) {
    super(message, detail);
    this.kind = kind;
    this.code = detail.code;
    this.httpStatus = detail.httpStatus;
    this.retryable = detail.retryable ?? retryableKinds.has(kind);
  }
}
