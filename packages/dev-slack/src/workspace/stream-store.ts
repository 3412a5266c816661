import type { Message } from "../control/protocol.ts";
import type { MessageStore } from "./message-store.ts";
import type { StreamContent } from "./stream-content.ts";

/** A stream is text or chunks, whichever its first content was; before that it is neither. */
export type StreamMode = "text" | "chunks" | undefined;

/** A message that the app is streaming now. */
export interface LiveStream {
  mode: StreamMode;
  content: StreamContent;
}

/** The streams that take more content. What has become of the others, their messages say in `stream.state`. */
export interface StreamStore {
  /** The message is a stream from now on, until it ends or its time is up. */
  begin(message: Message, stream: LiveStream): void;
  find(message: Pick<Message, "channel" | "ts">): LiveStream | undefined;
  /** Replaces what a stream has said. */
  grow(message: Message, stream: LiveStream): void;
  /** The stream takes no more. Its message is left as it is. */
  end(message: Pick<Message, "channel" | "ts">): void;
  /** A person stops the streams of a thread. Returns the `ts` of each, oldest first. */
  stop(channel: string, thread_ts: string): string[];
  /** Ends all timers. */
  close(): void;
}

/** Streams in memory. Each ends `lifetimeMs` after it began, however busy it is. */
export function createStreamStore(messages: MessageStore, lifetimeMs: number): StreamStore {
  const live = new Map<string, LiveStream & { timer: NodeJS.Timeout }>();
  const key = ({ channel, ts }: Pick<Message, "channel" | "ts">): string => `${channel} ${ts}`;

  const store: StreamStore = {
    begin: (message, stream) => {
      const { channel, ts } = message;
      const timer = setTimeout(() => cut({ channel, ts }, "expired"), lifetimeMs).unref();
      live.set(key(message), { ...stream, timer });
    },
    find: (message) => live.get(key(message)),
    grow: (message, stream) => {
      const before = live.get(key(message));
      if (before) live.set(key(message), { ...before, ...stream });
    },
    end: (message) => {
      clearTimeout(live.get(key(message))?.timer);
      live.delete(key(message));
    },
    stop: (channel, thread_ts) => {
      const stopped = messages.thread(channel, thread_ts).filter((message) => live.has(key(message)));
      for (const message of stopped) cut(message, "stopped");
      return stopped.map(({ ts }) => ts);
    },
    close: () => {
      for (const { timer } of live.values()) clearTimeout(timer);
    },
  };

  function cut(place: Pick<Message, "channel" | "ts">, state: "stopped" | "expired"): void {
    store.end(place);
    const message = messages.find(place.channel, place.ts);
    if (message?.stream) messages.replace({ ...message, stream: { ...message.stream, state } });
  }

  return store;
}
