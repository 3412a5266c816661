import type { Message, PostMessage } from "../control/protocol.ts";

/** A person's slash command. `thread_ts` is set if it was typed in a thread, where Slack accepts no commands. */
export interface RunCommand extends Pick<PostMessage, "channel" | "user" | "thread_ts"> {
  /** The command and the text after it, e.g. `/agents`. */
  text: string;
}

/** The app's immediate reaction. */
export interface CommandRun {
  /** The typed command. It is invisible to others and in no history; replies are `ephemeral_for` its author. */
  message: Message;
  /** HTTP status of the acknowledgement; 0 without one. */
  status: number;
  ms: number;
}
