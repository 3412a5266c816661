import type { Control } from "../control/control.ts";
import type { PostMessage } from "../protocol/control-api.ts";
import type { Message } from "../protocol/workspace.ts";
import type { DevSlack } from "../server/dev-slack.ts";

/** What people do in the local Slack. */
export interface Conversation {
  /** A person writes; gives the message. */
  readonly write: (post: Partial<PostMessage> & { text: string }) => Message;
  /** The bot's messages in the thread of a message, oldest first, with what people read as their text. */
  readonly replies: (root: Message) => Message[];
  /** Waits until the bot's answer to a message is final; gives its first part, with what people read as its text. */
  readonly answerTo: (root: Message, timeoutMs?: number) => Promise<Message>;
}

/** Where an answer stands, as the bot marks its messages. A stream has no mark while it is live. */
export const stateOf = ({ metadata, stream }: Message): unknown =>
  metadata?.event_payload["state"] ?? (stream?.state === "in_progress" ? "working" : undefined);

/** Returns what people read of a message. With blocks, its text is only the notification. */
export function shownText({ blocks = [], markdown_text, text }: Message): string {
  const written = (blocks as readonly { readonly type?: string; readonly text?: unknown }[]).flatMap((block) =>
    block.type === "markdown" ? [String(block.text)] : [],
  );
  return markdown_text ?? (written.length > 0 ? written.join("\n\n") : text);
}

const asRead = (message: Message): Message => ({ ...message, text: shownText(message) });

export function converse(control: Control): Conversation {
  const { bot_id } = control.workspace().app;
  const isReply = (message: Message, root: Message): boolean =>
    message.bot_id === bot_id && Number(message.ts) > Number(root.ts);
  const isFinal = (message: Message): boolean => ["done", "failed", "stopped"].includes(String(stateOf(message)));
  return {
    write: (post) => control.postMessage({ channel: "dm", ...post }),
    replies: (root) =>
      control
        .messages({ channel: root.channel, thread_ts: root.thread_ts ?? root.ts })
        .filter((message) => isReply(message, root))
        .map(asRead),
    answerTo: async (root, timeoutMs = 30_000) => {
      const thread_ts = root.thread_ts ?? root.ts;
      const isAnswer = (message: Message): boolean =>
        message.thread_ts === thread_ts && isReply(message, root) && isFinal(message);
      return asRead(await control.waitForMessage(isAnswer, timeoutMs));
    },
  };
}

/** The variables that join the verification zone to the local Slack. */
export function slackEnv(slack: DevSlack): Record<string, string> {
  return {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_SIGNING_SECRET: slack.signingSecret,
    SLACK_APP_ID: slack.workspace.app.app_id,
    SLACK_API_URL: slack.apiUrl,
  };
}
