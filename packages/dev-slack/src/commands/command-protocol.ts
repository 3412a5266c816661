import type { Message, PostMessage } from "../control/protocol.ts";

/** A slash command that a person types. `thread_ts` where it was typed in a thread: Slack takes no commands there. */
export interface RunCommand extends Pick<PostMessage, "channel" | "user" | "thread_ts"> {
  /** The command and what stands behind it, e.g. `/agents`. */
  text: string;
}

/** What the app did with it at once. */
export interface CommandRun {
  /** What was typed; nobody else sees it, and it is in no history. What is said of it is later, `ephemeral_for` its author. */
  message: Message;
  /** HTTP status of the acknowledgement; 0 when none came. */
  status: number;
  ms: number;
}
