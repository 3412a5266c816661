import {
  invalid,
  type JsonObject,
  memberOf,
  optionalBoolean,
  optionalInteger,
  optionalString,
  type RpcError,
} from "./check.ts";
import type { AnyTaskState } from "./types.ts";
import { readHistoryLength } from "./version.ts";

const states: readonly string[] = [
  "SUBMITTED",
  "WORKING",
  "INPUT_REQUIRED",
  "COMPLETED",
  "FAILED",
  "CANCELED",
  "REJECTED",
  "AUTH_REQUIRED",
].map((state) => `TASK_STATE_${state}`);

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
  const isAny = status === undefined || status === "TASK_STATE_UNSPECIFIED";
  if (!isAny && !states.includes(status)) throw invalid("status", "a state such as TASK_STATE_COMPLETED");
  const after = optionalString(...member("statusTimestampAfter"));
  const changedSince = after === undefined ? undefined : Date.parse(after);
  if (Number.isNaN(changedSince)) throw invalid("statusTimestampAfter", "a timestamp such as 2026-01-31T08:00:00Z");
  return {
    contextId: optionalString(...member("contextId")),
    state: isAny ? undefined : (status as AnyTaskState),
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
