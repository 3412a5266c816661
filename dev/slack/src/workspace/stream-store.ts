import type { Message } from "../protocol/workspace.ts";
import type { MessageStore } from "./message-store.ts";
import type { Storage } from "./storage.ts";
import type { StreamContent } from "./stream-content.ts";

/** A stream's mode, text or chunks, set by its first content; undefined before that. */
export type StreamMode = "text" | "chunks" | undefined;

/** A message that the app is streaming. */
export interface LiveStream {
  mode: StreamMode;
  content: StreamContent;
}

/** The live streams. For ended ones, the message's `stream.state` has the outcome. */
export interface StreamStore {
  /** Makes the message a live stream, until it ends or expires. */
  begin(message: Message, stream: LiveStream): void;
  find(message: Pick<Message, "channel" | "ts">): LiveStream | undefined;
  /** Replaces the content of a stream. */
  grow(message: Message, stream: LiveStream): void;
  /** Makes the stream reject further content. Its message stays unchanged. */
  end(message: Pick<Message, "channel" | "ts">): void;
  /** Stops the streams of a thread, as a person does. Returns the `ts` of each, oldest first. */
  stop(channel: string, thread_ts: string): string[];
  /** Cancels all timers. */
  close(): void;
}

/** Makes a store. Each stream ends `lifetimeMs` milliseconds after it began, even if it is active. */
export function createStreamStore(messages: MessageStore, { keep }: Storage, lifetimeMs: number): StreamStore {
  /** Until when it accepts content, Unix milliseconds. */
  const live = keep<LiveStream & { until: number }>("streams");
  const timers = new Map<string, NodeJS.Timeout>();
  const key = ({ channel, ts }: Pick<Message, "channel" | "ts">): string => `${channel} ${ts}`;

  const store: StreamStore = {
    begin: (message, stream) => {
      live.set(key(message), { ...stream, until: Date.now() + lifetimeMs });
      expireLater(key(message), lifetimeMs);
    },
    find: (message) => live.get(key(message)),
    grow: (message, stream) => {
      const before = live.get(key(message));
      if (before) live.set(key(message), { ...before, ...stream });
    },
    end: (message) => {
      clearTimeout(timers.get(key(message)));
      timers.delete(key(message));
      live.delete(key(message));
    },
    stop: (channel, thread_ts) => {
      const stopped = messages.thread(channel, thread_ts).filter((message) => live.has(key(message)));
      for (const message of stopped) cut(message, "stopped");
      return stopped.map(({ ts }) => ts);
    },
    close: () => {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };

  function expireLater(id: string, afterMs: number): void {
    const [channel = "", ts = ""] = id.split(" ");
    timers.set(id, setTimeout(() => cut({ channel, ts }, "expired"), Math.max(0, afterMs)).unref());
  }

  function cut(place: Pick<Message, "channel" | "ts">, state: "stopped" | "expired"): void {
    store.end(place);
    const message = messages.find(place.channel, place.ts);
    if (message?.stream) messages.replace({ ...message, stream: { ...message.stream, state } });
  }

  for (const [id, { until }] of live) expireLater(id, until - Date.now());
  return store;
}
