import type { Message } from "../../protocol/workspace.ts";
import { dayKey, dayLabel } from "../text/labels.ts";

/** A row of a channel or a thread, from top to bottom. */
export type Row =
  | { kind: "day"; key: string; label: string }
  | { kind: "message"; key: string; message: Message; continued: boolean; replies: ReplySummary | undefined };

/** The line below a root message that opens its thread. */
export interface ReplySummary {
  count: number;
  /** User ids, in the order of their first reply. */
  authors: string[];
  lastTs: string;
}

const groupSeconds = 300;

/** Returns true if the message is part of the channel itself, not a reply in a thread. */
function isRoot(message: Message): boolean {
  return message.thread_ts === undefined || message.thread_ts === message.ts;
}

/**
 * Returns the messages that this user can see, oldest first: without ephemeral messages to others, and without growing streams to others.
 */
export function visibleTo(user: string, messages: readonly Message[]): Message[] {
  return messages
    .filter(({ ephemeral_for, stream }) => {
      const onlyFor = ephemeral_for ?? (stream?.state === "in_progress" ? stream.recipient : undefined);
      return onlyFor === undefined || onlyFor === user;
    })
    .toSorted((a, b) => Number(a.ts) - Number(b.ts));
}

/** Returns the root messages of a channel with their reply counts; `messages` are the visible ones, oldest first. */
export function channelRows(messages: readonly Message[]): Row[] {
  const threads = Map.groupBy(
    messages.filter((message) => !isRoot(message) && message.ephemeral_for === undefined),
    (message) => message.thread_ts,
  );
  return rows(messages.filter(isRoot), (message) => summarize(threads.get(message.ts) ?? []));
}

/** Returns a root message and its replies; `messages` are the visible ones of the channel, oldest first. */
export function threadRows(messages: readonly Message[], root: string): Row[] {
  const inThread = messages.filter((message) => message.ts === root || message.thread_ts === root);
  return rows(inThread, () => undefined);
}

function rows(messages: readonly Message[], repliesOf: (message: Message) => ReplySummary | undefined): Row[] {
  return messages.flatMap((message, index): Row[] => {
    const before = messages[index - 1];
    const newDay = before === undefined || dayKey(before.ts) !== dayKey(message.ts);
    const day: Row = { kind: "day", key: `day-${dayKey(message.ts)}`, label: dayLabel(message.ts) };
    const continued = !newDay && continues(before, message);
    return [
      ...(newDay ? [day] : []),
      { kind: "message", key: message.ts, message, continued, replies: repliesOf(message) },
    ];
  });
}

/** Returns true if the message needs no name and picture: it has the same author and audience as the one before, and follows soon after. */
function continues(before: Message, message: Message): boolean {
  return (
    before.user === message.user &&
    before.bot_id === message.bot_id &&
    before.ephemeral_for === message.ephemeral_for &&
    Number(message.ts) - Number(before.ts) < groupSeconds
  );
}

function summarize(replies: readonly Message[]): ReplySummary | undefined {
  const last = replies.at(-1);
  const authors = [...new Set(replies.map((reply) => reply.user))];
  return last && { count: replies.length, authors, lastTs: last.ts };
}
