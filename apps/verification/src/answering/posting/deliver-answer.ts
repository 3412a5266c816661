import { ZoneError, type TaskFile } from "@crosszone/contracts";
import { LinkError } from "@crosszone/jsonrpc";
import { oneLine } from "../markdown/neutralise.ts";
import type { StoredAnswer } from "../../inbox/records.ts";
import { UnanswerableError } from "../../inbox/endings.ts";
import type { TaskMark } from "../../slack/slack-api.ts";
import { SlackCallError } from "../../slack/slack-call-error.ts";
import type { Attachment } from "./attach-file.ts";
import type { MarkedMessages, Posting } from "./marked-messages.ts";
import { isRefusedForGood } from "./slack-failures.ts";

/** The progress message: its timestamp, or whether it may have been posted. */
export type Placeholder = { readonly ts: string } | { readonly ts?: never; readonly doubtful: boolean };

export interface Delivery {
  readonly placeholder: Placeholder;
  readonly answer: StoredAnswer;
  /** Without part numbers, which are added when the answer has several parts. */
  readonly mark: Pick<TaskMark, "request_id" | "correlation_id">;
  /** True if an earlier attempt may have delivered some of it. */
  readonly isRetry: boolean;
  /** True if the answer's file is known to be in the thread. */
  readonly attached: boolean;
  /** How long each message is retried, milliseconds. */
  readonly budgetMs: number;
  /** Text to post in the place of a message that Slack refuses. */
  readonly apology: string;
}

export interface DeliverDeps {
  readonly messages: MarkedMessages;
  /**
   * Makes a streamed message the answer, with a note below its text. Resolves with true if it is, so that nothing replaces it. Absent without
   * a stream.
   */
  readonly finish?: (notes: string, mark: TaskMark) => Promise<boolean>;
  readonly attach: (file: Attachment) => Promise<void>;
  /** Records that the file is in the thread. */
  readonly noteAttached: () => Promise<void>;
  /** Reads a file of the answer from execution. */
  readonly readFile: (taskId: string, file: TaskFile) => Promise<Uint8Array>;
  /** Called when a file could not be attached. */
  readonly onUploadFailed: (error: unknown) => void;
}

/**
 * Posts an answer into its thread: the first part in the placeholder's place, the others below it, in order. A second delivery changes
 * nothing that is there and adds what is missing. When Slack refuses a part permanently, the apology takes its place, no further parts
 * follow, and the call rejects with an `UnanswerableError`.
 */
export async function deliverAnswer(deps: DeliverDeps, delivery: Delivery): Promise<void> {
  const { messages } = deps;
  const { placeholder, answer, isRetry, budgetMs, apology } = delivery;
  const mark: TaskMark = { ...delivery.mark, state: answer.state };
  const parts = answer.parts.length;
  const posting = (markdown_text: string, part: number): Posting => {
    const footer = part === parts && answer.footer !== undefined && { footer: answer.footer };
    const message = { markdown_text, ...footer, mark: { ...mark, ...(parts > 1 && { part, parts }) } };
    return { message, budgetMs, doubtful: isRetry };
  };

  const [first = "", ...others] = answer.parts;
  const notes = `${await fileNote(deps, delivery)}${await attachFiles(deps, delivery)}`;
  const begin = posting(`${first}${notes}`, 1);
  const isFinished = await deps.finish?.(notes, begin.message.mark);
  await orApologize(begin, async (one) => {
    if (isFinished === true) return;
    if (placeholder.ts !== undefined) await messages.replace(placeholder.ts, one);
    else await postOrReplace(messages, { ...one, doubtful: placeholder.doubtful });
  });
  for (const [index, text] of others.entries())
    await orApologize(posting(text, index + 2), async (one) => {
      const { state } = await messages.post(one);
      if (state !== one.message.mark.state) throw new UnanswerableError(`an apology replaces part ${index + 2}`);
    });

  async function orApologize(one: Posting, bring: (one: Posting) => Promise<void>): Promise<void> {
    try {
      await bring(one);
    } catch (error) {
      if (!isRefusedForGood(error)) throw error;
      const instead = { markdown_text: apology, mark: { ...one.message.mark, state: "failed" as const } };
      await bring({ ...one, message: instead }).catch((refusal: unknown) => {
        // Slack may refuse the apology too, for example in an archived channel. The first refusal has the reason.
        if (!isRefusedForGood(refusal)) throw refusal;
      });
      throw new UnanswerableError("Slack refuses the answer", { cause: error });
    }
  }
}

/** Attaches the whole answer when it is too long for messages; returns the note for the first part. */
async function fileNote(
  { attach, noteAttached, onUploadFailed }: DeliverDeps,
  { answer: { file }, mark, isRetry, attached }: Delivery,
): Promise<string> {
  if (file === undefined) return "";
  if (attached) return file.attached;
  try {
    await attach({ filename: `answer-${mark.request_id}.md`, content: file.content, doubtful: isRetry });
  } catch (error) {
    if (!(error instanceof SlackCallError)) throw error;
    onUploadFailed(error);
    return file.notAttached;
  }
  await noteAttached();
  return file.attached;
}

/** Attaches the files of the answer; returns a note that names the files that could not be attached. */
async function attachFiles(
  { attach, readFile, onUploadFailed }: DeliverDeps,
  { answer: { files }, isRetry }: Delivery,
): Promise<string> {
  const missing: string[] = [];
  for (const file of files?.files ?? []) {
    try {
      const content = await readFile(files?.taskId ?? "", file);
      await attach({ filename: file.name, content, doubtful: isRetry });
    } catch (error) {
      const isForeseen = [SlackCallError, ZoneError, LinkError].some((kind) => error instanceof kind);
      if (!isForeseen) throw error;
      onUploadFailed(error);
      missing.push(oneLine(file.name, 80));
    }
  }
  return missing.length === 0 ? "" : `\n\n_Could not be attached: ${missing.join(", ")}._`;
}

/** The message in its place is the placeholder or this very message; in the latter case the edit changes nothing. */
async function postOrReplace(messages: MarkedMessages, posting: Posting): Promise<void> {
  const { ts } = await messages.post(posting);
  if (posting.doubtful) await messages.replace(ts, posting);
}
