import { isObject, type JsonObject } from "@crosszone/contracts/json";

export { isObject, type JsonObject };

/** Returns the error for an invalid member of the params. */
export const invalid = (field: string, expected: string): RpcError =>
  new RpcError("INVALID_PARAMS", `Invalid params: ${field} must be ${expected}`, { field });

/** A member that is absent, or null as ProtoJSON allows, is undefined. Its name can be that of the proto, such as `history_length`. */
export function memberOf(value: unknown, name: string): unknown {
  if (!isObject(value)) return undefined;
  const named = Object.hasOwn(value, name)
    ? name
    : name.replaceAll(/(?<=^[a-zA-Z]+)[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.hasOwn(value, named) ? (value[named] ?? undefined) : undefined;
}

/** Returns a list member; an empty list for anything else. */
export function listAt(value: unknown, name: string): readonly unknown[] {
  const list = memberOf(value, name);
  return Array.isArray(list) ? list : [];
}

export function objectAt(value: unknown, field: string): JsonObject {
  if (!isObject(value)) throw invalid(field, "an object");
  return value;
}

export function optionalObject(value: unknown, field: string): JsonObject | undefined {
  return value === undefined ? undefined : objectAt(value, field);
}

export function stringAt(value: unknown, field: string): string {
  if (typeof value !== "string" || value === "") throw invalid(field, "a string that is not empty");
  return value;
}

/** Returns undefined for an empty string: ProtoJSON leaves it out or not. */
export function optionalString(value: unknown, field: string): string | undefined {
  if (value === undefined || value === "") return undefined;
  return stringAt(value, field);
}

export function optionalStrings(value: unknown, field: string): readonly string[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || value.some((each) => typeof each !== "string"))
    throw invalid(field, "a list of strings");
  return value as readonly string[];
}

export function optionalBoolean(value: unknown, field: string): boolean | undefined {
  if (value !== undefined && typeof value !== "boolean") throw invalid(field, "true or false");
  return value;
}

/** Returns an integer of a range; undefined when absent. */
export function optionalInteger(
  value: unknown,
  field: string,
  [least, most]: readonly [number, number],
): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most)
    throw invalid(field, `an integer of ${least} to ${most}`);
  return value;
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Returns an object without the members that are undefined. */
export function defined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Defined<T>;
}

/** The errors of JSON-RPC and A2A. https://a2a-protocol.org/v1.0.0/specification/#54-error-code-mappings */
const codes = {
  PARSE_ERROR: -32_700,
  INVALID_REQUEST: -32_600,
  METHOD_NOT_FOUND: -32_601,
  INVALID_PARAMS: -32_602,
  INTERNAL: -32_603,
  UNAVAILABLE: -32_000,
  TASK_NOT_FOUND: -32_001,
  TASK_NOT_CANCELABLE: -32_002,
  PUSH_NOTIFICATION_NOT_SUPPORTED: -32_003,
  UNSUPPORTED_OPERATION: -32_004,
  CONTENT_TYPE_NOT_SUPPORTED: -32_005,
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: -32_007,
  VERSION_NOT_SUPPORTED: -32_009,
} as const;

export type ErrorReason = keyof typeof codes;

interface ErrorDetails {
  /** The invalid member, such as `message.parts`. */
  readonly field?: string;
  /** The request's id, when the error is thrown before its caller knows the request. */
  readonly id?: string | number | null;
  /** HTTP status; 200 unless the HTTP layer refuses the request. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Names an error that is not one of A2A more exactly than its code, such as `RATE_LIMITED`. */
  readonly named?: string;
}

/** An error that is sent to the client. */
export class RpcError extends Error {
  override readonly name: string = "RpcError";
  readonly reason: ErrorReason;
  readonly details: ErrorDetails;

  constructor(reason: ErrorReason, message: string, details: ErrorDetails = {}) {
    super(message);
    this.reason = reason;
    this.details = details;
  }
}

export const unsupported = (message: string): RpcError => new RpcError("UNSUPPORTED_OPERATION", message);

/** Returns the error for everything about push notifications. */
export const withoutPush = (): RpcError =>
  new RpcError("PUSH_NOTIFICATION_NOT_SUPPORTED", "Push notifications are not supported. Stream or poll the task.");

/** Returns the JSON-RPC error object. Only A2A 1.0 has typed details, in every error. https://a2a-protocol.org/v1.0.0/specification/#95-error-handling */
export function errorObject(error: RpcError, version: "0.3" | "1.0"): object {
  const { reason, message } = error;
  return { code: codes[reason], message, data: version === "1.0" ? typedDetails(error) : undefined };
}

function typedDetails({ reason, message, details: { field, named = reason, headers } }: RpcError): readonly object[] {
  const isOfA2a = codes[reason] <= -32_001 && codes[reason] >= -32_099;
  const info = isOfA2a ? { reason, domain: "a2a-protocol.org" } : { reason: named, domain: "crosszone.dev" };
  const wait = headers?.["retry-after"];
  const fieldViolations = [{ field, description: message }];
  return [
    field === undefined ? undefined : { "@type": `${google}BadRequest`, fieldViolations },
    { "@type": `${google}ErrorInfo`, ...info, metadata: {} },
    wait === undefined ? undefined : { "@type": `${google}RetryInfo`, retryDelay: `${wait}s` },
  ].filter((detail) => detail !== undefined);
}

/** https://google.aip.dev/193 */
const google = "type.googleapis.com/google.rpc.";
