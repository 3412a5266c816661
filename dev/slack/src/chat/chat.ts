import type { PostMessage } from "../protocol/control-api.ts";
import type { Message, Workspace } from "../protocol/workspace.ts";
import { splitCommand } from "../commands/command-texts.ts";
import { composeText } from "../page/text/names.ts";
import { ask, type Outcome } from "./ask.ts";
import type { ChatOptions } from "./chat-options.ts";
import type { ControlClient } from "./control-client.ts";
import { createThreadPrinter } from "./printing.ts";

/** A conversation in one thread. */
export interface Chat {
  /** Asks in the thread of the previous question, prints the answer as it arrives, and resolves with the outcome. */
  say(text: string): Promise<Outcome>;
  /** Presses Stop for the current question; returns false if there is none, or Stop was already pressed. */
  stop(): boolean;
}

/** Output targets: the thread goes to `out`, notes for the person to `err`. */
export interface ChatTargets {
  out: (text: string) => unknown;
  err: (text: string) => unknown;
  /** Whether to print the questions; false if the person has just typed them. */
  echo: boolean;
}

/** Starts a conversation with the given options. Rejects if the local Slack is unreachable. */
export async function startChat(client: ControlClient, options: ChatOptions, targets: ChatTargets): Promise<Chat> {
  const { out, err, echo } = targets;
  const workspace = await client.workspace();
  const print = createThreadPrinter(out, workspace);
  const { timeoutMs } = options;
  let { thread } = options;
  let running: Message | undefined;

  return {
    say: async (typed) => {
      const isCommand = splitCommand(typed) !== undefined;
      // Slack accepts no commands in threads, so the command is typed next to this conversation's thread.
      const post = toPost(typed, { ...options, thread: isCommand ? undefined : thread }, workspace);
      if (!isCommand && thread === undefined && !isHeard(workspace, post)) {
        err(`${workspace.app.name} gets this only if you mention it: start with @${workspace.app.name}.\n`);
      }
      const posted = (question: Message): void => {
        running = question;
        if (!isCommand) thread = question.thread_ts ?? question.ts;
        if (echo) print(question);
      };
      const outcome = await ask(client, post, { timeoutMs, posted, show: print }).finally(() => {
        running = undefined;
      });
      if (outcome.state === "timed_out") err(`No complete answer within ${Number(timeoutMs) / 1000} seconds.\n`);
      return outcome;
    },
    stop: () => {
      if (!running) return false;
      const { channel, user, ts, thread_ts = ts } = running;
      running = undefined;
      void client.stop({ channel, user, thread_ts }).catch((error: Error) => err(`${error.message}\n`));
      return true;
    },
  };
}

function toPost(typed: string, { channel, as, thread }: ChatOptions, { users }: Workspace): PostMessage {
  return {
    channel,
    text: splitCommand(typed) === undefined ? composeText(typed, users) : typed,
    ...(as !== undefined && { user: as }),
    ...(thread !== undefined && { thread_ts: thread }),
  };
}

/** Returns true if the app receives a message that starts a thread here: in a channel, the message must mention it. */
function isHeard({ app, channels }: Workspace, { channel: wanted, text }: PostMessage): boolean {
  const channel = channels.find(({ id, name }) => id === wanted || (name !== "" && name === wanted.replace(/^#/, "")));
  return channel === undefined || channel.kind === "im" || text.includes(`<@${app.bot_user_id}>`);
}
