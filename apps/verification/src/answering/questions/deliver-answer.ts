import { ZoneError } from "@crosszone/contracts";
import { LinkError } from "@crosszone/jsonrpc";
import { UnanswerableError } from "../../inbox/endings.ts";
import type { StoredAnswer } from "../../inbox/records.ts";
import type { TaskMark } from "../../slack/slack-api.ts";
import { SlackCallError } from "../../slack/slack-call-error.ts";
import { oneLine } from "../markdown/neutralise.ts";
import type { Posting } from "../posting/marked-messages.ts";
import { isRefusedForGood } from "../posting/send-once.ts";
import { errorSentence } from "../sentences/error-sentences.ts";
import { readTaskFile } from "../tasks/zone-calls.ts";
import type { Answering, Attempt } from "./attempt.ts";

/** The progress message: its timestamp, or whether it may have been posted. */
export type Placeholder = { readonly ts: string } | { readonly ts?: never; readonly doubtful: boolean };

/** A stored answer, and the message that it replaces. */
export interface Ready {
  readonly answer: StoredAnswer;
  readonly placeholder: Placeholder;
  /**
   * Makes a streamed message the answer, with a note below its text. Resolves with true if it is, so that nothing replaces it. Absent without
   * a stream.
   */
  readonly finish?: (notes: string, mark: TaskMark) => Promise<boolean>;
  /** The task's id in execution. */
  readonly taskId?: string;
}

/**
 * Posts a stored answer into the thread of its record: the first part in the placeholder's place, the others below it, in order. A second
 * delivery changes nothing that is there and adds what is missing. When Slack refuses a part permanently, an apology takes its place, no
 * further parts follow, and the call rejects with an `UnanswerableError`.
 */
export async function deliverAnswer(answering: Answering, attempt: Attempt, ready: Ready): Promise<void> {
  const { leased, leave, messages, emit, startedAt } = attempt;
  const { answer, placeholder, finish, taskId: task_id } = ready;
  const { request_id, correlation_id } = leased.record;
  const mark: TaskMark = { request_id, correlation_id, state: answer.state, inputs: answer.inputs };
  const parts = answer.parts.length;
  const posting = (markdown_text: string, part: number): Posting => {
    const { footer, controls } = part === parts ? answer : {};
    const message = { markdown_text, footer, controls, mark: parts > 1 ? { ...mark, part, parts } : mark };
    return { message, budgetMs: answering.limits.DELIVERY_BUDGET_MS, doubtful: isRepeated(attempt) };
  };

  leave.throwIfAborted();
  const [first = "", ...others] = answer.parts;
  const notes = `${await fileNote(answering, attempt, answer)}${await attachFiles(answering, attempt, answer)}`;
  const begin = posting(`${first}${notes}`, 1);
  const isFinished = await finish?.(notes, begin.message.mark);
  await orApologize(begin, async (one) => {
    if (isFinished === true) return;
    const doubtful = placeholder.ts === undefined && placeholder.doubtful;
    const ts = placeholder.ts ?? (await messages.post({ ...one, doubtful })).ts;
    // It may be the placeholder or this very message; in the latter case the edit changes nothing.
    if (placeholder.ts !== undefined || doubtful)
      await messages.replace(ts, { ...one, doubtful: one.doubtful || doubtful });
  });
  for (const [index, text] of others.entries())
    await orApologize(posting(text, index + 2), async (one) => {
      const { state } = await messages.post(one);
      if (state !== one.message.mark.state) throw new UnanswerableError(`an apology replaces part ${index + 2}`);
    });
  emit("answer_posted", { task_id, parts, duration_ms: performance.now() - startedAt });

  async function orApologize(one: Posting, bring: (one: Posting) => Promise<void>): Promise<void> {
    try {
      await bring(one);
    } catch (error) {
      if (!isRefusedForGood(error)) throw error;
      const markdown_text = errorSentence(new ZoneError("internal"), correlation_id);
      const instead = { markdown_text, mark: { ...one.message.mark, state: "failed" as const } };
      await bring({ ...one, message: instead }).catch((refusal: unknown) => {
        // Slack may refuse the apology too, for example in an archived channel. The first refusal has the reason.
        if (!isRefusedForGood(refusal)) throw refusal;
      });
      throw new UnanswerableError("Slack refuses the answer", { cause: error });
    }
  }
}

/** Returns true if an earlier attempt may have delivered some of the answer. */
function isRepeated({ leased: { attempt, progress } }: Attempt): boolean {
  return attempt > 1 || progress.answer !== undefined;
}

/** Attaches the whole answer when it is too long for messages; returns the note for the first part. */
async function fileNote({ inbox }: Answering, attempt: Attempt, { file }: StoredAnswer): Promise<string> {
  const { leased, messages } = attempt;
  if (file === undefined) return "";
  if (leased.progress.attached === true) return file.attached;
  const filename = `answer-${leased.record.request_id}.md`;
  try {
    await messages.attach({ filename, content: file.content, doubtful: isRepeated(attempt) });
  } catch (error) {
    if (!(error instanceof SlackCallError)) throw error;
    reportMissing(attempt, error);
    return file.notAttached;
  }
  await inbox.note(leased, { attached: true });
  return file.attached;
}

/** Attaches the files of the answer; returns a note that names the files that could not be attached. */
async function attachFiles(answering: Answering, attempt: Attempt, { files }: StoredAnswer): Promise<string> {
  const missing: string[] = [];
  const { record } = attempt.leased;
  const owner = record.kind === "paused_task" ? { ...record, request_id: record.session } : record;
  for (const file of files?.files ?? []) {
    try {
      const content = await readTaskFile(answering, owner, { taskId: files?.taskId ?? "", file });
      await attempt.messages.attach({ filename: file.name, content, doubtful: isRepeated(attempt) });
    } catch (error) {
      const isForeseen = [SlackCallError, ZoneError, LinkError].some((kind) => error instanceof kind);
      if (!isForeseen) throw error;
      reportMissing(attempt, error);
      missing.push(oneLine(file.name, 80));
    }
  }
  return missing.length === 0 ? "" : `\n\n_Could not be attached: ${missing.join(", ")}._`;
}

function reportMissing({ emit }: Attempt, failure: unknown): void {
  emit("file_not_attached", { operation: "files.completeUploadExternal", failure });
}
