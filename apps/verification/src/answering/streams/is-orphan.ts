import type { SlackIdentity, SlackMessage } from "../../slack/slack-api.ts";

/**
 * Returns true if a message in a question's thread is a stream that a process started without recording it. A stream has no mark until it
 * ends, and every other message of the app has a mark or a file. Questions of one thread are processed one after the other, so the stream
 * belongs to the current question. There are two exceptions: messages that other software posts with the same bot token, and the stream of
 * a parked question, which the thread's next question adopts when it searches for its own.
 */
export function isOrphan(
  { ts, user, bot_id, mark, files }: SlackMessage,
  { identity, after }: { readonly identity: SlackIdentity; readonly after: string },
): boolean {
  const isOurs = user === identity.bot_user_id || bot_id === identity.bot_id;
  return isOurs && mark === undefined && files.length === 0 && Number(ts) > Number(after);
}
