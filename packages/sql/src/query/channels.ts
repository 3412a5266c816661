/** Called with the text of each notification; with `undefined` when some may have been missed, or the engine has none. Must not throw. */
export type OnMessage = (payload: string | undefined) => void;

/** The listeners of channels. */
export interface Channels {
  /** Returns a function that removes it. */
  readonly add: (channel: string, onMessage: OnMessage) => () => void;
  readonly notify: (channel: string, payload: string | undefined) => void;
  /** Calls every listener with `undefined`. */
  readonly notifyAll: () => void;
  /** Returns the channels that have a listener. */
  readonly names: () => readonly string[];
}

export function createChannels(): Channels {
  const listeners = new Set<{ readonly channel: string; readonly onMessage: OnMessage }>();
  return {
    add: (channel, onMessage) => {
      const listener = { channel, onMessage };
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    notify: (of, payload) => {
      for (const { channel, onMessage } of listeners) if (channel === of) onMessage(payload);
    },
    notifyAll: () => {
      for (const { onMessage } of listeners) onMessage(undefined);
    },
    names: () => [...new Set([...listeners].map(({ channel }) => channel))],
  };
}

const channelName = /^[a-z][a-z0-9_]{0,30}$/;

/** Throws unless the channel's name can be part of an SQL text. */
export function checkChannel(channel: string): void {
  if (!channelName.test(channel))
    throw new TypeError(
      `Expected a channel of at most 31 lowercase letters, digits and underscores, got ${JSON.stringify(channel)}.`,
    );
}
