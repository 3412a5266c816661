import { JsonTextError, parseExactJson } from "@crosszone/contracts/json";
import {
  invalid,
  isObject,
  type JsonObject,
  memberOf,
  objectAt,
  optionalBoolean,
  optionalInteger,
  optionalString,
  RpcError,
} from "./check.ts";
import { type AnyTaskState, isTaskState } from "./types.ts";
import { readHistoryLength } from "./version.ts";

/** The params of `ListTasks`. */
export interface ListRequest {
  readonly contextId: string | undefined;
  readonly state: AnyTaskState | undefined;
  /** Unix milliseconds, inclusive. */
  readonly changedSince: number | undefined;
  readonly pageSize: number;
  readonly pageToken: string | undefined;
  readonly historyLength: number | undefined;
  readonly includeArtifacts: boolean;
}

/** Reads the params of `ListTasks`. Throws an `RpcError` that names the invalid one. */
export function readListRequest(params: JsonObject): ListRequest {
  const member = (name: string): [unknown, string] => [memberOf(params, name), name];
  const status = optionalString(...member("status"));
  const state = status === "TASK_STATE_UNSPECIFIED" ? undefined : status;
  if (state !== undefined && !isTaskState(state)) throw invalid("status", "a state such as TASK_STATE_COMPLETED");
  const after = optionalString(...member("statusTimestampAfter"));
  const changedSince = after === undefined ? undefined : Date.parse(after);
  if (Number.isNaN(changedSince)) throw invalid("statusTimestampAfter", "a timestamp such as 2026-01-31T08:00:00Z");
  return {
    contextId: optionalString(...member("contextId")),
    state,
    changedSince,
    pageSize: optionalInteger(...member("pageSize"), [0, 100]) || 50,
    pageToken: optionalString(...member("pageToken")),
    historyLength: readHistoryLength(params, "historyLength"),
    includeArtifacts: optionalBoolean(...member("includeArtifacts")) === true,
  };
}

/** Returns the error for a token that is not the `nextPageToken` of the same list. */
export const invalidPageToken = (): RpcError =>
  invalid("pageToken", "a nextPageToken of an earlier response to the same request");

export type RpcId = string | number | null;

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

/** Reads a request of JSON-RPC 2.0. Throws an `RpcError` that says what is wrong. */
export function readRequest(value: unknown): { readonly method: string; readonly params: JsonObject } {
  if (Array.isArray(value)) throw refused("A2A has no batches. Send one request at a time");
  if (!isObject(value)) throw refused("the body is not an object");
  const { jsonrpc, method, params, id } = value;
  if (jsonrpc !== "2.0") throw refused('jsonrpc must be "2.0"');
  if (typeof id !== "string" && typeof id !== "number" && id !== null) throw refused("id must be a string or a number");
  if (typeof method !== "string") throw refused("method must be a string");
  if (params !== undefined && typeof params !== "object") throw refused("params must be an object");
  return { method, params: objectAt(params ?? {}, "params") };
}

const refused = (problem: string): RpcError => new RpcError("INVALID_REQUEST", `Invalid request: ${problem}`);
