import type { JsonRpcId, JsonRpcRequest } from "@crosszone/contracts";
import { numericIdTexts, decodeUtf8, deeperThan, opensDeeperThan, ownMember } from "./json.ts";

/** Parameters by name or by position; absent if the message has no `params`. */
export type IncomingParams = JsonRpcRequest["params"];

/** A call that expects a response. JSON-RPC 2.0, section 4: an `id` of null is an id too. */
export interface IncomingRequest {
  readonly method: string;
  readonly params: IncomingParams;
  readonly id: JsonRpcId;
  /** The id as JSON text, for the response. A number is kept as written, because `id` may have rounded it. */
  readonly idText: string;
}

/** A call without a response. JSON-RPC 2.0, section 4.1. */
export interface IncomingNotification {
  readonly method: string;
  readonly params: IncomingParams;
  readonly id?: undefined;
  readonly idText?: undefined;
}

/** An invalid message. It is answered with `id: null`; `reason` is fixed text that contains nothing of the input. */
export interface InvalidMessage {
  readonly type: "invalid";
  readonly kind: "parse_error" | "invalid_request" | "payload_too_large";
  readonly reason: string;
}

/** An entry of a batch, or a message that is not a batch. */
export type IncomingEntry =
  | { readonly type: "request"; readonly request: IncomingRequest }
  | { readonly type: "notification"; readonly notification: IncomingNotification }
  | InvalidMessage;

/** A parsed message. A batch has at least one entry. JSON-RPC 2.0, section 6. */
export type Incoming = IncomingEntry | { readonly type: "batch"; readonly items: readonly IncomingEntry[] };

/** Limits that are checked before a message is interpreted. */
export interface ParseLimits {
  /** Size of the message, bytes. Larger ones are `payload_too_large`. */
  readonly maxBytes: number;
  /** Levels of nested arrays and objects, including the message itself. Deeper ones are `invalid_request`. */
  readonly maxDepth: number;
  /** Entries of a batch. Larger ones are `invalid_request`. */
  readonly maxBatch: number;
}

/** 1 MiB, 64 levels, 100 entries. */
export const defaultLimits: ParseLimits = { maxBytes: 1_048_576, maxDepth: 64, maxBatch: 100 };

/**
 * From this size, bytes, the depth is checked before parsing, because parsing deep nesting is expensive. Below it, checking the parsed
 * value is cheaper.
 */
const largeBytes = 65_536;

/**
 * Parses a JSON-RPC 2.0 message: a request, a notification, a batch, or an invalid message. Never throws, whatever the bytes are. Only own
 * members of objects count; of duplicate members, the last. https://www.jsonrpc.org/specification#request_object
 */
export function parse(bytes: Uint8Array, limits: ParseLimits = defaultLimits): Incoming {
  if (bytes.byteLength > limits.maxBytes)
    return invalid("payload_too_large", `is larger than ${limits.maxBytes} bytes`);
  const isLarge = bytes.byteLength > largeBytes;
  if (isLarge && opensDeeperThan(bytes, limits.maxDepth)) return tooDeep(limits);
  let text: string;
  try {
    text = decodeUtf8(bytes);
  } catch {
    return invalid("parse_error", "is not UTF-8");
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return invalid("parse_error", "is not JSON");
  }
  if (!isLarge && deeperThan(value, limits.maxDepth)) return tooDeep(limits);
  if (!Array.isArray(value)) return toEntry(value, numericId(value) ? numericIdTexts(text)[0] : undefined);
  if (value.length === 0) return invalid("invalid_request", "is an empty batch");
  if (value.length > limits.maxBatch)
    return invalid("invalid_request", `is a batch of more than ${limits.maxBatch} entries`);
  const idTexts = value.some(numericId) ? numericIdTexts(text) : [];
  return { type: "batch", items: value.map((item, index) => toEntry(item, idTexts[index])) };
}

function tooDeep({ maxDepth }: ParseLimits): InvalidMessage {
  return invalid("invalid_request", `is nested in more than ${maxDepth} levels`);
}

function toEntry(value: unknown, idText: string | undefined): IncomingEntry {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return invalid("invalid_request", "is not an object");
  if (ownMember(value, "jsonrpc") !== "2.0") return invalid("invalid_request", 'has no member jsonrpc that is "2.0"');
  const method = ownMember(value, "method");
  if (typeof method !== "string") return invalid("invalid_request", "has no member method that is a string");
  const params = ownMember(value, "params");
  if (params === null || (params !== undefined && typeof params !== "object"))
    return invalid("invalid_request", "has a member params that is neither object nor array");
  const id = ownMember(value, "id");
  if (id === undefined) return { type: "notification", notification: { method, params: params as IncomingParams } };
  if (id !== null && typeof id !== "string" && typeof id !== "number")
    return invalid("invalid_request", "has a member id that is neither string, number nor null");
  return {
    type: "request",
    request: { method, params: params as IncomingParams, id, idText: idText ?? JSON.stringify(id) },
  };
}

function numericId(value: unknown): boolean {
  return typeof ownMember(value, "id") === "number";
}

function invalid(kind: InvalidMessage["kind"], reason: string): InvalidMessage {
  return { type: "invalid", kind, reason: `the message ${reason}` };
}
