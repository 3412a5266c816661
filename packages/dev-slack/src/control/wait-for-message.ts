import type { ChangeFeed } from "../workspace/change-feed.ts";
import type { Message } from "./protocol.ts";

/**
 * Resolves with the first message, already there or yet to come, that the predicate is true for.
 * Rejects when the time is up, naming the newest messages. `all` gives every message there is, oldest first.
 */
export function waitForMessage(
  { feed, all }: { feed: ChangeFeed; all: () => Message[] },
  predicate: (message: Message) => boolean,
  timeoutMs: number,
): Promise<Message> {
  const present = all().find(predicate);
  if (present) return Promise.resolve(present);
  const { promise, resolve, reject } = Promise.withResolvers<Message>();
  const stop = feed.subscribe((event) => {
    if ((event.type === "message" || event.type === "message_changed") && predicate(event.message))
      resolve(event.message);
  });
  const timer = setTimeout(() => {
    const newest = all()
      .slice(-5)
      .map(({ channel, user, text }) => `${user} in ${channel}: ${text.slice(0, 200)}`);
    reject(new Error(`no such message within ${timeoutMs} ms; the newest are:\n${newest.join("\n") || "(none)"}`));
  }, timeoutMs);
  return promise.finally(() => {
    stop();
    clearTimeout(timer);
  });
}
