import type { Message } from "../protocol/workspace.ts";
import type { ChangeFeed } from "./change-feed.ts";
import type { SlackClock } from "./slack-clock.ts";
import type { Storage } from "./storage.ts";

/** A new message, before the store assigns its `ts`. */
export type NewMessage = Omit<Message, "ts">;

/** A message that was deleted, or replaced with its tombstone. */
interface Removal {
  previous: Message;
  tombstone?: Message;
}

/** Stores every message of the workspace and publishes each change. */
export interface MessageStore {
  add(message: NewMessage): Message;
  /** Finds an ephemeral message only for the user who sees it: for the Web API, none exists. */
  find(channel: string, ts: string, user?: string): Message | undefined;
  /** Replaces the message with the same channel and ts; returns the previous one. */
  replace(message: Message): Message | undefined;
  /**
   * Deletes a message. A root that has replies is replaced with a tombstone, which goes with its last reply. Returns what was deleted or
   * replaced.
   */
  remove(channel: string, ts: string): Removal[];
  /** Oldest first, including replies and ephemeral messages. */
  all(channel: string): Message[];
  /** Returns the root and its replies, oldest first, without ephemeral ones; empty if the root does not exist. */
  thread(channel: string, root: string): Message[];
}

/** See https://github.com/42wim/matterbridge/issues/600 */
const TOMBSTONE = { subtype: "tombstone", user: "USLACKBOT", text: "This message was deleted." } as const;

/** Makes a store. Messages are immutable: a returned message never changes. */
export function createMessageStore(clock: SlackClock, feed: ChangeFeed, { keep }: Storage): MessageStore {
  const channels = new Map<string, Map<string, Message>>();
  const of = (channel: string): Map<string, Message> =>
    channels.getOrInsertComputed(channel, () => keep(`messages ${channel}`));

  const store: MessageStore = {
    add: (draft) => {
      const message: Message = { ...draft, ts: clock.ts() };
      of(message.channel).set(message.ts, message);
      feed.publish({ type: "message", message });
      return message;
    },
    find: (channel, ts, user) => {
      const message = of(channel).get(ts);
      return message?.ephemeral_for === undefined || message.ephemeral_for === user ? message : undefined;
    },
    replace: (message) => {
      const previous = of(message.channel).get(message.ts);
      if (!previous) return undefined;
      of(message.channel).set(message.ts, message);
      feed.publish({ type: "message_changed", message });
      return previous;
    },
    remove: (channel, ts) => {
      const previous = of(channel).get(ts);
      if (!previous) return [];
      if (store.thread(channel, ts).length > 1) {
        const tombstone: Message = { channel, ts, ...TOMBSTONE };
        store.replace(tombstone);
        return [{ previous, tombstone }];
      }
      of(channel).delete(ts);
      feed.publish({ type: "message_deleted", channel, ts });
      const root = store.find(channel, previous.thread_ts ?? "");
      const isLast = root?.subtype === "tombstone" && store.thread(channel, root.ts).length === 1;
      return [{ previous }, ...(isLast ? store.remove(channel, root.ts) : [])];
    },
    all: (channel) => [...of(channel).values()],
    thread: (channel, root) => {
      const parent = store.find(channel, root);
      if (!parent) return [];
      const replies = store.all(channel).filter((message) => message.thread_ts === root && message.ts !== root);
      return [parent, ...replies.filter((message) => message.ephemeral_for === undefined)];
    },
  };
  return store;
}
