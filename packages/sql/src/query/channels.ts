/** Called with the text of each notification; with `undefined` when some may have been missed, or the engine has none. Must not throw. */
export type OnMessage = (payload: string | undefined) => void;

/** Holds the listeners of channels. */
export function createChannels() {
  const listeners = new Set<{ readonly channel: string; readonly onMessage: OnMessage }>();
  return {
    /** Returns a function that removes it. */
    add: (channel: string, onMessage: OnMessage): (() => void) => {
      const listener = { channel, onMessage };
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    notify: (of: string, payload: string | undefined): void => {
      for (const { channel, onMessage } of listeners) if (channel === of) onMessage(payload);
    },
    /** Calls every listener with `undefined`. */
    notifyAll: (): void => {
      for (const { onMessage } of listeners) onMessage(undefined);
    },
    /** Returns the channels that have a listener. */
    names: (): readonly string[] => [...new Set([...listeners].map(({ channel }) => channel))],
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
