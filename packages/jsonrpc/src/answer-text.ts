import { ZoneError, type ErrorKind, type JsonRpcError } from "@crosszone/contracts";

/** What was thrown, and how it goes on the wire. */
export interface Failure {
  readonly error: unknown;
  readonly kind: ErrorKind;
  readonly code: number;
  /** The error object as JSON. */
  readonly json: string;
}

/** Says which error object a thrown value becomes. */
export type ErrorToJson = (error: unknown, correlationId: string) => JsonRpcError;

/** The response with a result. Throws a `TypeError` for what JSON cannot say: nothing, a function, a BigInt, a cycle. */
export function successText(result: unknown, idText: string): string {
  const json = JSON.stringify(result) as string | undefined;
  if (json === undefined) throw new TypeError("the result is not a JSON value");
  return `{"jsonrpc":"2.0","result":${json},"id":${idText}}`;
}

/** The response with an error. */
export function failureText({ json }: Failure, idText: string): string {
  return `{"jsonrpc":"2.0","error":${json},"id":${idText}}`;
}

/** Turns what was thrown into a failure. An error whose data is not JSON fails in its own turn, and that failure counts. */
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

/** A message that wants no answer. JSON-RPC 2.0, section 4.1. Throws a `TypeError` for params that JSON cannot say. */
export function notificationText(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: "2.0", method, params });
}
