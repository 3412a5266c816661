import { errorTable, ZoneError, type JsonRpcError } from "@crosszone/contracts";

/**
 * Converts a thrown value to an error object of the zone link: code and message from the error catalogue, `data` as `ZoneErrorData`.
 * Anything but a `ZoneError` becomes `internal`, without its message, stack or cause. The inverse is `errorFromJson`.
 * https://www.jsonrpc.org/specification#error_object
 */
export function errorToJson(error: unknown, correlationId: string): JsonRpcError {
  const { kind, data } = error instanceof ZoneError ? error : internal;
  const { code, title, retryable } = errorTable[kind];
  return { code, message: title, data: { kind, retryable, correlation_id: correlationId, ...data } };
}

const internal = { kind: "internal", data: {} } as const;
