import type { JsonRpcId, JsonRpcRequest, ParamProblem } from "@crosszone/contracts";
import { JsonTextError, parseExactJson } from "@crosszone/contracts/json";

const encoder = new TextEncoder();

export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Returns an own member of an object, so that `constructor` is undefined in `{}`; undefined for any other value. */
export function ownProperty(value: unknown, member: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, member)
    ? value[member as never]
    : undefined;
}

/**
 * Returns the text of each request's numeric `id`, by position in the batch, or at 0 for a single request. A JavaScript number can't
 * represent every JSON number (9007199254740993, 1e999), so the response echoes the text. The bytes must be valid JSON that is not nested deeply.
 */
function numericIdTexts(bytes: Uint8Array): (string | undefined)[] {
  const texts = new Map<unknown, string>();
  const keep = function (this: unknown, ...[key, member, context]: [string, unknown, { readonly source: string }?]) {
    if (key === "id" && typeof member === "number" && context) texts.set(this, context.source);
    return member;
  };
  const value: unknown = JSON.parse(new TextDecoder().decode(bytes), keep);
  return [value].flat().map((entry) => texts.get(entry));
}

/** Parameters by name or by position; absent if the message has no `params`. */
export type IncomingParams = JsonRpcRequest["params"];

/** A call that expects a response. JSON-RPC 2.0, section 4: an `id` of null is an id too. */
export interface IncomingRequest {
  readonly method: string;
  readonly params: IncomingParams;
  /** What can't be kept of the parameters; absent if all can. The message must be refused. */
  readonly problems?: ParamProblem[] | undefined;
  readonly id: JsonRpcId;
  /** The id as JSON text, for the response. A number is kept as written, because `id` may have rounded it. */
  readonly idText: string;
}

/** A call without a response. JSON-RPC 2.0, section 4.1. */
export interface IncomingNotification {
  readonly method: string;
  readonly params: IncomingParams;
  /** As in a request. */
  readonly problems?: ParamProblem[] | undefined;
  readonly id?: undefined;
  readonly idText?: undefined;
}

/** An invalid message. It is answered with `id: null`; `reason` is fixed text that contains nothing of the input. */
export interface InvalidMessage {
  readonly type: "invalid";
  readonly kind: "parse_error" | "invalid_request" | "payload_too_large";
  readonly reason: string;
  /** What can't be kept of the message, if that is the reason. */
  readonly problems?: ParamProblem[];
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
 * Parses a JSON-RPC 2.0 message: a request, a notification, a batch, or an invalid message. Never throws, whatever the bytes are. Only own
 * members of objects count. https://www.jsonrpc.org/specification#request_object
 */
export function parse(bytes: Uint8Array, limits: ParseLimits = defaultLimits): Incoming {
  if (bytes.byteLength > limits.maxBytes)
    return invalid("payload_too_large", `is larger than ${limits.maxBytes} bytes`);
  let value: unknown;
  let problems: ParamProblem[] = [];
  try {
    value = parseExactJson(bytes, { maxDepth: limits.maxDepth, freeNumbers: isId });
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    const { kind, message } = error;
    if (kind === "not_utf8" || kind === "not_json") return invalid("parse_error", message);
    ({ value, problems } = error);
    const inParams = !Array.isArray(value) && problems.every(({ pointer }) => /^\/params(\/|$)/.test(pointer));
    if (kind === "too_deep") return invalid("invalid_request", message);
    if (!inParams) return { ...invalid("invalid_request", "has values that can't be kept"), problems };
  }
  if (!Array.isArray(value)) return toEntry(value, numericId(value) ? numericIdTexts(bytes)[0] : undefined, problems);
  if (value.length === 0) return invalid("invalid_request", "is an empty batch");
  if (value.length > limits.maxBatch)
    return invalid("invalid_request", `is a batch of more than ${limits.maxBatch} entries`);
  const idTexts = value.some(numericId) ? numericIdTexts(bytes) : [];
  return { type: "batch", items: value.map((item, index) => toEntry(item, idTexts[index])) };
}

/** An id that is a number is echoed as it was written. */
const isId = /^(\/\d+)?\/id$/;

function toEntry(value: unknown, idText: string | undefined, found: readonly ParamProblem[] = []): IncomingEntry {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return invalid("invalid_request", "is not an object");
  if (ownProperty(value, "jsonrpc") !== "2.0") return invalid("invalid_request", 'has no member jsonrpc that is "2.0"');
  const method = ownProperty(value, "method");
  if (typeof method !== "string") return invalid("invalid_request", "has no member method that is a string");
  const params = ownProperty(value, "params");
  if (params === null || (params !== undefined && typeof params !== "object"))
    return invalid("invalid_request", "has a member params that is neither object nor array");
  const id = ownProperty(value, "id");
  const problems = found.length > 0 ? found.map(ofParams) : undefined;
  const call = { method, params: params as IncomingParams, problems };
  if (id === undefined) return { type: "notification", notification: call };
  if (id !== null && typeof id !== "string" && typeof id !== "number")
    return invalid("invalid_request", "has a member id that is neither string, number nor null");
  return { type: "request", request: { ...call, id, idText: idText ?? JSON.stringify(id) } };
}

/** Pointers of `invalid_params` begin at the parameters. */
const ofParams = ({ pointer, message }: ParamProblem): ParamProblem => ({
  pointer: pointer.slice("/params".length),
  message,
});

function numericId(value: unknown): boolean {
  return typeof ownProperty(value, "id") === "number";
}

function invalid(kind: InvalidMessage["kind"], reason: string): InvalidMessage {
  return { type: "invalid", kind, reason: `the message ${reason}` };
}
