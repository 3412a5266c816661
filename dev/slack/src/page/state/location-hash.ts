/** The view in the page's address: the traffic, or a channel with an optional thread. */
export type Place = { view: "traffic" } | { view: "messages"; channel: string; thread: string | undefined };

/** Parses `#/traffic`, `#/C…` or `#/C…/<ts>`; undefined for any other address. */
export function parseHash(hash: string): Place | undefined {
  if (hash === "#/traffic") return { view: "traffic" };
  const found = /^#\/([CDG]\w+)(?:\/(\d+\.\d+))?$/.exec(hash);
  return found?.[1] === undefined ? undefined : { view: "messages", channel: found[1], thread: found[2] };
}

/** Returns the address of a channel, or of a thread in it. */
export function channelHash(channel: string, thread?: string): string {
  return thread === undefined ? `#/${channel}` : `#/${channel}/${thread}`;
}
