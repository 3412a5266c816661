import type { ChangeFeed } from "../workspace/change-feed.ts";
import type { Message } from "./protocol.ts";

/**
 * Resolves with the first message, existing or future, for which the predicate is true. Rejects at the timeout and names the newest
 * messages. `all` returns every existing message, oldest first.
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
    reject(new Error(`no matching message within ${timeoutMs} ms; the newest are:\n${newest.join("\n") || "(none)"}`));
  }, timeoutMs);
  return promise.finally(() => {
    stop();
    clearTimeout(timer);
  });
}
