import { ZoneError, type ErrorKind, type ZoneErrorDetail } from "@crosszone/contracts";

/** An error as sent between threads. Structured clone loses the class, but keeps name and message. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  /** The kind and data of a `ZoneError`. */
  readonly zone?: { readonly kind: ErrorKind; readonly data: ZoneErrorDetail };
  readonly cause?: SentError;
}

export function sendError(thrown: unknown): SentError {
  if (!(thrown instanceof Error)) return { name: "Error", message: String(thrown) };
  const { name, message, stack, cause } = thrown;
  return {
    name,
    message,
    ...(stack !== undefined && { stack }),
    ...(thrown instanceof ZoneError && { zone: { kind: thrown.kind, data: thrown.data } }),
    ...(cause instanceof Error && { cause: sendError(cause) }),
  };
}

/** Restores the error: a `ZoneError` of the same kind, or an `Error` with the same name, message and stack. */
export function receiveError({ name, message, stack, zone, cause }: SentError): Error {
  const detail = cause && { cause: receiveError(cause) };
  const error =
    zone === undefined
      ? Object.assign(new Error(message, detail), { name })
      : new ZoneError(zone.kind, zone.data, detail);
  if (stack !== undefined) error.stack = stack;
  return error;
}
