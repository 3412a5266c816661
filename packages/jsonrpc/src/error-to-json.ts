import { errorTable, ZoneError, type JsonRpcError } from "@crosszone/contracts";

/**
 * Turns whatever was thrown into the error object of the zone link: code and message from the error catalogue, `data` as
 * `ZoneErrorData`. What is not a `ZoneError` becomes `internal`; nothing of its message, stack or cause goes on the wire.
 * The inverse is `errorFromJson`. https://www.jsonrpc.org/specification#error_object
 */
export function errorToJson(error: unknown, correlationId: string): JsonRpcError {
  const { kind, data } = error instanceof ZoneError ? error : internal;
  const { code, title, retryable } = errorTable[kind];
  return { code, message: title, data: { kind, retryable, correlation_id: correlationId, ...data } };
}

const internal = { kind: "internal", data: {} } as const;
