import { invalid, memberOf, optionalBoolean, optionalInteger, optionalString, type JsonObject } from "../a2a/check.ts";
import type { WireTask } from "../a2a/types.ts";
import { readHistoryLength } from "../a2a/version.ts";
import { snapshotOf, type TaskRecord } from "./task-record.ts";

const states = [
  "SUBMITTED",
  "WORKING",
  "INPUT_REQUIRED",
  "COMPLETED",
  "FAILED",
  "CANCELED",
  "REJECTED",
  "AUTH_REQUIRED",
];

/** Returns the result of `ListTasks`: tasks of one caller, the last changed first. Throws an `RpcError` for invalid params. */
export function listTasks(records: Iterable<TaskRecord>, params: JsonObject): object {
  const isWanted = readFilter(params);
  const pageSize = optionalInteger(memberOf(params, "pageSize"), "pageSize", [0, 100]) || 50;
  const historyLength = readHistoryLength(params, "historyLength");
  const withArtifacts = optionalBoolean(memberOf(params, "includeArtifacts"), "includeArtifacts") === true;
  const before = readToken(optionalString(memberOf(params, "pageToken"), "pageToken"));
  const wanted = [...records].filter(isWanted).toSorted((a, b) => b.order - a.order);
  const rest = wanted.filter(({ order }) => order < before);
  const page = rest.slice(0, pageSize);
  const last = page.at(-1);
  return {
    tasks: page.map((record): WireTask => snapshotOf(record, { historyLength, withArtifacts })),
    nextPageToken: last !== undefined && rest.length > page.length ? writeToken(last.order) : "",
    pageSize,
    totalSize: wanted.length,
  };
}

function readFilter(params: JsonObject): (record: TaskRecord) => boolean {
  const contextId = optionalString(memberOf(params, "contextId"), "contextId");
  const status = optionalString(memberOf(params, "status"), "status");
  const isAny = status === undefined || status === "TASK_STATE_UNSPECIFIED";
  if (!isAny && !states.some((state) => status === `TASK_STATE_${state}`))
    throw invalid("status", "a state such as TASK_STATE_COMPLETED");
  const after = optionalString(memberOf(params, "statusTimestampAfter"), "statusTimestampAfter");
  const since = after === undefined ? 0 : Date.parse(after);
  if (Number.isNaN(since)) throw invalid("statusTimestampAfter", "a timestamp such as 2026-01-31T08:00:00Z");
  return (record) =>
    (contextId === undefined || record.contextId === contextId) &&
    (isAny || record.status.state === status) &&
    Date.parse(record.status.timestamp) >= since;
}

const writeToken = (order: number): string => Buffer.from(`after:${order}`).toString("base64url");

function readToken(token: string | undefined): number {
  if (token === undefined) return Infinity;
  const [, order] = /^after:(\d{1,15})$/.exec(Buffer.from(token, "base64url").toString()) ?? [];
  if (order === undefined) throw invalid("pageToken", "a nextPageToken of an earlier response");
  return Number(order);
}
