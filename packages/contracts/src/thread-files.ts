import type { ThreadMessage } from "./generated/types.ts";

/** Returns the ids of the files of earlier messages. A task's other attachments came with its question. */
export function threadFileIds(thread: readonly ThreadMessage[]): ReadonlySet<string | undefined> {
  return new Set(thread.flatMap(({ files = [] }) => files.flatMap(({ id }) => id ?? [])));
}
