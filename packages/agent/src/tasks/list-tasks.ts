import { invalidPageToken, type JsonObject, type ListRequest, readListRequest, type WireTask } from "@crosszone/a2a";
import { snapshotOf, type TaskRecord } from "./task-record.ts";

/** Returns the result of `ListTasks`: tasks of one caller, the last changed first. Throws an `RpcError` for invalid params. */
export function listTasks(records: Iterable<TaskRecord>, params: JsonObject): object {
  const request = readListRequest(params);
  const { pageSize, historyLength, includeArtifacts: withArtifacts } = request;
  const before = readToken(request.pageToken);
  const wanted = [...records].filter((record) => isWanted(record, request)).toSorted((a, b) => b.order - a.order);
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

const isWanted = (record: TaskRecord, { contextId, state, changedSince = 0 }: ListRequest): boolean =>
  (contextId === undefined || record.contextId === contextId) &&
  (state === undefined || record.status.state === state) &&
  Date.parse(record.status.timestamp) >= changedSince;

const writeToken = (order: number): string => Buffer.from(`after:${order}`).toString("base64url");

function readToken(token: string | undefined): number {
  if (token === undefined) return Infinity;
  const [, order] = /^after:(\d{1,15})$/.exec(Buffer.from(token, "base64url").toString()) ?? [];
  if (order === undefined) throw invalidPageToken();
  return Number(order);
}
