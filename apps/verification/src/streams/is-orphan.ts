import type { SlackIdentity, SlackMessage } from "../slack/slack-api.ts";

/**
 * Returns whether a message in the thread of a question is a stream that a process started and did not note. A stream carries no mark
 * until it ends, and every other message of the app has a mark or a file. Questions of one thread are worked on one after the other, so
 * the stream belongs to the question at hand. That does not hold for what something else posts with the same bot token, nor for the
 * stream of a question that was parked before: the next question of the thread that searches for its own message takes it over.
 */
export function isOrphan(
  { ts, user, bot_id, mark, files }: SlackMessage,
  { identity, after }: { readonly identity: SlackIdentity; readonly after: string },
): boolean {
  const isOurs = user === identity.bot_user_id || bot_id === identity.bot_id;
  return isOurs && mark === undefined && files.length === 0 && Number(ts) > Number(after);
}
