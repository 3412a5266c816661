import { splitCommand } from "../commands/command-texts.ts";
import type { Message, PostMessage, Workspace } from "../control/protocol.ts";
import { composeText } from "../page/text/compose-text.ts";
import { ask, type Outcome } from "./ask.ts";
import type { ChatOptions } from "./chat-options.ts";
import type { ControlClient } from "./control-client.ts";
import { createThreadPrinter, type PrinterTarget } from "./thread-printer.ts";

/** A conversation in one thread. */
export interface Chat {
  /** Asks in the thread of the question before, prints what happens, and resolves with how it ended. */
  say(text: string): Promise<Outcome>;
  /** Presses Stop for the question that is being answered; false when there is none, or it was pressed already. */
  stop(): boolean;
}

/** Where a conversation writes: the thread to `out`, notes to the person to `err`. */
export interface ChatTargets {
  out: PrinterTarget;
  err: { write(text: string): unknown };
  /** Print the questions too; not when the person has just typed them here. */
  echo: boolean;
}

/** Starts a conversation as the options say. Rejects when the local Slack cannot be reached. */
export async function startChat(client: ControlClient, options: ChatOptions, targets: ChatTargets): Promise<Chat> {
  const { out, err, echo } = targets;
  const workspace = await client.workspace();
  const printer = createThreadPrinter(out, workspace);
  const { timeoutMs } = options;
  let { thread } = options;
  let running: Message | undefined;

  return {
    say: async (typed) => {
      const isCommand = splitCommand(typed) !== undefined;
      // Slack takes no commands in threads: it is typed beside the one of this conversation.
      const post = toPost(typed, { ...options, thread: isCommand ? undefined : thread }, workspace);
      if (!isCommand && thread === undefined && !isHeard(workspace, post)) {
        err.write(`${workspace.app.name} hears this only when it is mentioned: start with @${workspace.app.name}.\n`);
      }
      const posted = (question: Message): void => {
        running = question;
        if (!isCommand) thread = question.thread_ts ?? question.ts;
        if (echo) printer.show(question);
      };
      const outcome = await ask(client, post, { timeoutMs, posted, show: (message) => printer.show(message) }).finally(
        () => {
          running = undefined;
          printer.clear();
        },
      );
      if (outcome.state === "timed_out") err.write(`No complete answer within ${timeoutMs / 1000} seconds.\n`);
      return outcome;
    },
    stop: () => {
      if (!running) return false;
      const { channel, user, ts, thread_ts = ts } = running;
      running = undefined;
      void client.stop({ channel, user, thread_ts }).catch((error: Error) => err.write(`${error.message}\n`));
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

/** Does the app hear a message that starts a thread here? In a channel it must be mentioned. */
function isHeard({ app, channels }: Workspace, { channel: wanted, text }: PostMessage): boolean {
  const channel = channels.find(({ id, name }) => id === wanted || (name !== "" && name === wanted.replace(/^#/, "")));
  return channel === undefined || channel.kind === "im" || text.includes(`<@${app.bot_user_id}>`);
}
