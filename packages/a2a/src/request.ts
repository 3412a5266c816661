import { JsonTextError, parseExactJson } from "@crosszone/contracts/json";
import { isObject, RpcError } from "./check.ts";

export type RpcId = string | number | null;

export interface RpcRequest {
  readonly id: RpcId;
  readonly method: string;
  readonly params: unknown;
}

/**
 * Returns the JSON value of a body. Throws an `RpcError` for one that is not JSON in UTF-8, that would change when it is read, or whose arrays
 * and objects are nested deeper than `maxDepth`.
 */
export function parseJson(body: Uint8Array, maxDepth = 64): unknown {
  try {
    return parseExactJson(body, { maxDepth });
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    const { kind, message, problems, value } = error;
    if (kind === "not_utf8" || kind === "not_json")
      throw new RpcError("PARSE_ERROR", `Parse error: the body ${message}`);
    const isOfParams = problems.every(({ pointer }) => pointer.startsWith("/params"));
    const [{ pointer: field } = { pointer: "" }] = problems;
    if (!isOfParams) throw refused(`the body ${message}`);
    throw new RpcError("INVALID_PARAMS", `Invalid params: the body ${message}`, { field, id: idOf(value) });
  }
}

/** Returns the id to answer with: that of the request where it is a valid one. */
export function idOf(value: unknown): RpcId {
  const id = isObject(value) ? value["id"] : null;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

/** Whether a value is a request without an id, which gets no response. All methods of A2A have results, so it does nothing. */
export const isNotification = (value: unknown): boolean =>
  isObject(value) && value["jsonrpc"] === "2.0" && typeof value["method"] === "string" && !Object.hasOwn(value, "id");

/** Checks that a value is a request of JSON-RPC 2.0. Throws an `RpcError` that says what is wrong. */
export function readRequest(value: unknown): RpcRequest {
  if (Array.isArray(value)) throw refused("A2A has no batches. Send one request at a time");
  if (!isObject(value)) throw refused("the body is not an object");
  const { jsonrpc, method, params, id } = value;
  if (jsonrpc !== "2.0") throw refused('jsonrpc must be "2.0"');
  if (typeof id !== "string" && typeof id !== "number" && id !== null) throw refused("id must be a string or a number");
  if (typeof method !== "string") throw refused("method must be a string");
  if (params !== undefined && typeof params !== "object") throw refused("params must be an object");
  return { id, method, params };
}

const refused = (problem: string): RpcError => new RpcError("INVALID_REQUEST", `Invalid request: ${problem}`);
