import type { ComposedAnswer } from "../answers/compose-answer.ts";
import type { SlackApi, SlackThread, TaskMark } from "../slack/slack-api.ts";
import { SlackCallError } from "../slack/slack-call-error.ts";
import type { MarkedMessages, Posting } from "./marked-messages.ts";

/** What is known of the message that says that the work is going on: its timestamp, or that it may have been posted. */
export type Placeholder = { readonly ts: string } | { readonly ts?: never; readonly doubtful: boolean };

export interface Delivery {
  readonly thread: SlackThread;
  readonly placeholder: Placeholder;
  readonly answer: ComposedAnswer;
  /** Without part numbers; they are added when there are several parts. */
  readonly mark: Omit<TaskMark, "part" | "parts">;
  /** How long each message may be tried, milliseconds. */
  readonly budgetMs: number;
  /** What to say in the place of a message that Slack refuses. */
  readonly apology: string;
}

export interface DeliverDeps {
  readonly messages: MarkedMessages;
  readonly slack: Pick<SlackApi, "upload">;
  /** Told when the whole answer could not be attached. */
  readonly onUploadFailed: (error: unknown) => void;
}

/**
 * Brings an answer into its thread: the first part in the placeholder's place, the others below it, in order. When Slack refuses a
 * part, its place says so, and nothing follows: rejects with the refusal.
 */
export async function deliverAnswer(deps: DeliverDeps, delivery: Delivery): Promise<void> {
  const { messages } = deps;
  const { thread, placeholder, answer, mark, budgetMs, apology } = delivery;
  const parts = answer.parts.length;
  const posting = (markdown_text: string, part: number): Posting => {
    const message = { markdown_text, mark: { ...mark, ...(parts > 1 && { part, parts }) } };
    return { thread, message, budgetMs, doubtful: false };
  };

  const [first = "", ...others] = answer.parts;
  const begin = posting(`${first}${await attachFile(deps, delivery)}`, 1);
  await orApologise(begin, async (one) => {
    if (placeholder.ts !== undefined) await messages.replace(placeholder.ts, one);
    else if (placeholder.doubtful) await replaceFound(messages, one);
    else await messages.post(one);
  });
  for (const [index, text] of others.entries())
    await orApologise(posting(text, index + 2), async (one) => void (await messages.post(one)));

  async function orApologise(one: Posting, bring: (one: Posting) => Promise<void>): Promise<void> {
    try {
      await bring(one);
    } catch (error) {
      const refused = error instanceof SlackCallError && error.failure === "refused";
      const instead = { markdown_text: apology, mark: { ...one.message.mark, state: "failed" as const } };
      // Slack may refuse this too, as in a channel that is archived: the first refusal says why.
      if (refused) await bring({ ...one, message: instead }).catch(() => undefined);
      throw error;
    }
  }
}

/** Attaches the whole answer where there is too much of it, once; gives what the first part has to say about that. */
async function attachFile(
  { slack, onUploadFailed }: DeliverDeps,
  { thread, answer: { file }, mark }: Delivery,
): Promise<string> {
  if (file === undefined) return "";
  try {
    await slack.upload(thread, { filename: `answer-${mark.request_id.slice(0, 8)}.md`, content: file.content });
    return file.attached;
  } catch (error) {
    if (!(error instanceof SlackCallError)) throw error;
    onUploadFailed(error);
    return file.notAttached;
  }
}

/** `post` gives the placeholder's own timestamp when it finds it; the update is harmless when it was posted just now. */
async function replaceFound(messages: MarkedMessages, posting: Posting): Promise<void> {
  const ts = await messages.post({ ...posting, doubtful: true });
  await messages.replace(ts, posting);
}
