import { ZoneError, type ErrorKind, type JsonRpcError } from "@crosszone/contracts";

/** A thrown error and its wire form. */
export interface Failure {
  readonly error: unknown;
  readonly kind: ErrorKind;
  readonly code: number;
  /** The error object as JSON. */
  readonly json: string;
}

/** Converts a thrown value to an error object. */
export type ErrorToJson = (error: unknown, correlationId: string) => JsonRpcError;

/**
 * Returns a response with a result. Throws a `TypeError` for a value that JSON can't represent: undefined, a function, a BigInt, a cycle.
 */
export function successText(result: unknown, idText: string): string {
  const json = JSON.stringify(result) as string | undefined;
  if (json === undefined) throw new TypeError("the result is not a JSON value");
  return `{"jsonrpc":"2.0","result":${json},"id":${idText}}`;
}

/** Returns a response with an error. */
export function failureText({ json }: Failure, idText: string): string {
  return `{"jsonrpc":"2.0","error":${json},"id":${idText}}`;
}

/** Converts a thrown value to a failure. If its data is not JSON, returns that failure instead. */
export function toFailure(error: unknown, correlationId: string, errorToJson: ErrorToJson): Failure {
  try {
    return write(error, correlationId, errorToJson);
  } catch (unwritable) {
    return write(unwritable, correlationId, errorToJson);
  }
}

function write(error: unknown, correlationId: string, errorToJson: ErrorToJson): Failure {
  const object = errorToJson(error, correlationId);
  const kind = error instanceof ZoneError ? error.kind : "internal";
  return { error, kind, code: object.code, json: JSON.stringify(object) };
}

/** Returns a notification. JSON-RPC 2.0, section 4.1. Throws a `TypeError` for params that JSON can't represent. */
export function notificationText(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: "2.0", method, params });
}
