import type { CallHeaders } from "@crosszone/jobs";

/** Headers of a dead letter, in addition to those of its message. */
export const letterHeaders = {
  reason: "dead-letter-reason",
  topic: "dead-letter-topic",
  partition: "dead-letter-partition",
  offset: "dead-letter-offset",
  group: "dead-letter-group",
  attempts: "dead-letter-attempts",
  at: "dead-letter-at",
} as const;

/** On a replayed message: the only group that handles it. */
export const onlyForGroup = "only-for-group";

/** In a dead-letter topic: the id of a letter that was replayed. */
export const replayed = "dead-letter-replayed";

const ours: ReadonlySet<string> = new Set([...Object.values(letterHeaders), onlyForGroup]);

/** Returns the headers of the message itself. */
export const headersOfMessage = (headers: CallHeaders): CallHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ours.has(name)));

/** Converts Kafka's headers to text. Of several with one name, the last wins. */
export const readHeaders = (entries: Iterable<readonly [Buffer | null, Buffer | null]>): CallHeaders =>
  Object.fromEntries([...entries].map(([name, value]) => [name?.toString() ?? "", value?.toString() ?? ""]));
