import { createHmac, timingSafeEqual } from "node:crypto";
import { invalidPageToken } from "@crosszone/a2a";
import type { AskFilter, ListPlace } from "../../tasks/sql/asked-tasks.ts";

/** A program's list of tasks, and the key that signs its places. */
export interface ListedBy {
  readonly key: Uint8Array;
  readonly actor: string;
  readonly filter: AskFilter;
}

/** Returns the signed token of a place in a list. It holds only for this program and this filter, in any process that has the key. */
export const writePageToken = ({ changedAt, taskId }: ListPlace, list: ListedBy): string =>
  [changedAt, taskId, sign([changedAt, taskId], list).toString("base64url")].join(".");

/** Throws an `RpcError` for a token that was changed, or is of another list. */
export function readPageToken(token: string, list: ListedBy): ListPlace {
  const [time, taskId = "", signature = ""] = token.split(".");
  const changedAt = Number(time);
  const [given, right] = [Buffer.from(signature, "base64url"), sign([changedAt, taskId], list)];
  if (given.length !== right.length || !timingSafeEqual(given, right)) throw invalidPageToken();
  return { changedAt, taskId };
}

function sign(place: readonly [number, string], { key, actor, filter }: ListedBy): Buffer {
  const { agent, contextId = null, states = null, changedSince = null } = filter;
  const text = JSON.stringify([place, actor, agent, contextId, states, changedSince]);
  return createHmac("sha256", key).update(text).digest();
}
