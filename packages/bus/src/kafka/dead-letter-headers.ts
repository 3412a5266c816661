import type { MessageHeaders } from "../bus-message.ts";

/** What a dead letter carries beside the headers of its message. */
export const letterHeaders = {
  reason: "dead-letter-reason",
  topic: "dead-letter-topic",
  partition: "dead-letter-partition",
  offset: "dead-letter-offset",
  group: "dead-letter-group",
  attempts: "dead-letter-attempts",
  at: "dead-letter-at",
} as const;

/** Of a message that comes again for one group: the others do not handle it. */
export const onlyForGroup = "only-for-group";

/** In the topic of the dead letters: the id of one that was delivered again. */
export const replayed = "dead-letter-replayed";

const ours: ReadonlySet<string> = new Set([...Object.values(letterHeaders), onlyForGroup]);

/** The headers of the message itself. */
export const headersOfMessage = (headers: MessageHeaders): MessageHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ours.has(name)));

/** Headers as Kafka has them, bytes by bytes, as text; of several with one name, the last. */
export const readHeaders = (entries: Iterable<readonly [Buffer | null, Buffer | null]>): MessageHeaders =>
  Object.fromEntries([...entries].map(([name, value]) => [name?.toString() ?? "", value?.toString() ?? ""]));
