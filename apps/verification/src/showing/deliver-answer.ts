import { ZoneError } from "@crosszone/contracts";
import { LinkError } from "@crosszone/jsonrpc";
import type { Inbox } from "../inbox/inbox.ts";
import { UnanswerableError, WithdrawnError } from "../inbox/record-ends.ts";
import type { StoredAnswer, RecordHead } from "../inbox/records.ts";
import type { ZoneLink } from "../link/zone-link.ts";
import { notificationOf } from "../slack/notation.ts";
import type { BelowText, MarkedMessage, TaskMark } from "../slack/slack-api.ts";
import { SlackCallError } from "../slack/slack-call-error.ts";
import type { Attempt } from "./attempt.ts";
import { tsBefore, type Posting, createMarkedMessages, type MarkedMessages } from "./marked-messages.ts";
import type { Workplace } from "./workplace.ts";
import { errorSentence } from "./error-sentences.ts";
import { channelMention, literalMarkdown, oneLine, verbatimText } from "./markdown/neutralise.ts";
import { concernOf, isRefusedForGood, placeReason } from "./send-once.ts";
import type { WorkspaceContext } from "../workspaces/workspaces.ts";

/** A message that shows progress: its timestamp, or whether it may have been posted. */
export type Placeholder = { readonly ts: string } | { readonly ts?: never; readonly doubtful: boolean };

/** A stored answer, and the messages that it replaces. */
export interface Ready {
  readonly answer: StoredAnswer;
  readonly placeholder: Placeholder;
  /** The messages below the placeholder where the text went on, in order. */
  readonly continued?: readonly Placeholder[];
  /**
   * Makes a streamed message the answer's first message, with a note below its text. Resolves with true if it is, so that nothing replaces it.
   * Absent without a stream.
   */
  readonly finish?: (notes: string, mark: TaskMark) => Promise<boolean>;
  /** The task's id in execution. */
  readonly taskId?: string;
}

/**
 * Posts a stored answer into the thread of its record, or as a direct message to its requester if Slack accepts nothing there. A second
 * delivery changes nothing that is there and adds what is missing. Rejects with a `WithdrawnError` if the message that was answered is gone,
 * and with an `UnanswerableError` if Slack refuses every form of the answer.
 */
export async function deliverAnswer(place: Workplace, attempt: Attempt, ready: Ready): Promise<void> {
  const { emit, startedAt } = attempt;
  const unlessGone = (failure: unknown): unknown => {
    if (concernOf(failure) !== "thread") return failure;
    emit("thread_gone", { operation: "chat.postMessage", failure });
    return new WithdrawnError("the message that was answered is gone", { cause: failure });
  };
  const delivered = await deliverParts(attempt, ready)
    .then(() => ({ attempt, answer: ready.answer }))
    .catch((failure: unknown) => {
      const refusal = failure instanceof NothingAcceptedError ? failure.cause : failure;
      if (refusal === failure && concernOf(failure) !== "place") throw unlessGone(failure);
      return deliverDirectly(attempt, { answer: ready.answer, failure: refusal });
    });
  const { answer, taskId: task_id } = ready;
  place.onPosted?.(attempt.leased.record, answer);
  emit("answer_posted", { task_id, parts: answer.parts.length, duration_ms: performance.now() - startedAt });
  await deliverFiles(place, delivered.attempt, delivered.answer).catch((failure: unknown) => {
    throw unlessGone(failure);
  });
}

/** Thrown if Slack refuses every text in a place; `cause` is the first refusal. */
class NothingAcceptedError extends Error {
  override readonly name = "NothingAcceptedError";
}

/** Posts the answer, and why it is not in its thread, to the requester. What few people may see, such as the files of a private channel, stays out. */
async function deliverDirectly(
  attempt: Attempt,
  { answer, failure }: { readonly answer: StoredAnswer; readonly failure: unknown },
): Promise<{ readonly attempt: Attempt; readonly answer: StoredAnswer }> {
  const { record } = attempt.leased;
  const { files, ...text } = answer;
  const [first = "", ...others] = answer.parts;
  const why = `_I can’t answer in ${channelMention(record.channel)}, because ${placeReason(failure)}. This is the answer to your question there:_`;
  const place = await attempt.workspace.directory.channel(record.channel).catch(() => undefined);
  const isPublic = place !== undefined && place.isPrivate !== true;
  const names = (files?.files ?? []).map(({ name }) => literalMarkdown(oneLine(name, 80))).join(", ");
  const left = isPublic || names === "" ? "" : `\n\n_Without the files, because the channel is not public: ${names}._`;
  const sent = { ...(isPublic ? answer : text), parts: [`${why}\n\n${first}${left}`, ...others] };
  try {
    const messages = await directMessages(attempt.workspace, record, attempt.leave);
    if (messages === undefined) throw failure;
    const direct = { ...attempt, messages };
    await deliverParts(direct, { answer: sent, placeholder: { doubtful: false } });
    attempt.emit("answer_redirected", { operation: "chat.postMessage", failure });
    return { attempt: direct, answer: sent };
  } catch (refusal) {
    if (!isRefusedForGood(refusal) && !(refusal instanceof NothingAcceptedError)) throw refusal;
    // The first refusal has the reason.
    throw new UnanswerableError("Slack refuses the answer in its place, and as a direct message", { cause: failure });
  }
}

/** Posts the first part in the placeholder's place, the others below it, in order. */
async function deliverParts(attempt: Attempt, ready: Ready): Promise<void> {
  const { workspace, leased, leave } = attempt;
  const { answer, placeholder, continued = [], finish } = ready;
  const { request_id, correlation_id, headline } = leased.record;
  const files = (answer.file === undefined ? 0 : 1) + (answer.files?.files.length ?? 0);
  const following = { inputs: answer.inputs, files: files > 0 ? files : undefined };
  const mark: TaskMark = { request_id, correlation_id, state: answer.state, ...following };
  const parts = answer.parts.length;
  leave.throwIfAborted();
  const notes = answer.file?.attached ?? "";
  for (const [index, text] of answer.parts.entries()) {
    const part = index + 1;
    const isLast = part === parts;
    const { footer: used, controls } = isLast ? answer : {};
    const { text: line, mark: asked } = (index === 0 ? headline : undefined) ?? {};
    const footer = [line, used].filter((one) => one !== undefined).join("\n") || undefined;
    const markdown_text = isLast ? `${text}${notes}` : text;
    const ofPart = { ...asked, ...mark, ...(parts > 1 && { part, parts }) };
    const message = { markdown_text, footer, controls, mark: ofPart };
    const posting = { message, budgetMs: workspace.limits.DELIVERY_BUDGET_MS, doubtful: isRepeated(attempt) };
    if (index === 0 && (await finish?.(isLast ? notes : "", message.mark)) === true) continue;
    const place = (index === 0 ? placeholder : continued[index - 1]) ?? { doubtful: false };
    await bringInSomeForm(attempt, posting, { place, isBegun: answer.isBegun === true && place.ts !== undefined });
  }
  // A text can grow over more messages than its answer has.
  await removeParts(attempt, continued, { ...mark, part: parts + 1 });
}

/** Deletes the messages where a text went on, from the part of the mark on. */
export async function removeParts(
  attempt: Attempt,
  continued: readonly Placeholder[],
  mark: TaskMark & { readonly part: number },
): Promise<void> {
  for (let { part } = mark; continued.length > part - 2 || isRepeated(attempt); part += 1) {
    const known = continued[part - 2];
    const wasThere = await attempt.messages.remove({ ...mark, part }, known?.ts);
    if (!wasThere && known === undefined) return;
  }
}

/**
 * Brings a part into its place as Slack accepts it: as Markdown, as plain text, or as a file. When Slack refuses them all, an apology takes its
 * place, or stands below it if people have read text there (`isBegun`), and the call rejects with an `UnanswerableError`. If even the apology
 * is refused, rejects with a `NothingAcceptedError`.
 */
async function bringInSomeForm(
  attempt: Attempt,
  posting: Posting & { readonly message: MarkdownMessage },
  { place, isBegun }: { readonly place: Placeholder; readonly isBegun: boolean },
): Promise<void> {
  const { message } = posting;
  const { mark, markdown_text } = message;
  const asFile = async (): Promise<MarkedMessage> => {
    const filename = `answer-${mark.request_id}-${mark.part ?? 1}.md`;
    await attempt.messages.attach({ filename, content: markdown_text, doubtful: posting.doubtful });
    return { text: `Slack does not accept this answer as a message. It is in the file \`${filename}\`.`, mark };
  };
  const forms: readonly (readonly [next: string, form: () => MarkedMessage | Promise<MarkedMessage>])[] = [
    ["plain text", () => message],
    ["file", () => plainForm(message)],
    ["apology", asFile],
  ];
  let refusal: unknown;
  for (const [next, form] of forms)
    try {
      return await bring(attempt, { ...posting, message: await form() }, place);
    } catch (failure) {
      if (concernOf(failure) !== "content") throw failure;
      refusal ??= failure;
      attempt.emit("answer_refused", { operation: "chat.postMessage", failure, next });
    }
  const request_id = isBegun ? `${mark.request_id}:apology` : mark.request_id;
  const text = errorSentence(new ZoneError("internal"), mark.correlation_id);
  const apology = { ...posting, message: { text, mark: { ...mark, request_id, state: "failed" as const } } };
  await bring(attempt, apology, isBegun ? { doubtful: false } : place).catch((failure: unknown) => {
    if (!isRefusedForGood(failure)) throw failure;
    throw new NothingAcceptedError("Slack accepts no text there", { cause: refusal });
  });
  throw new UnanswerableError("Slack refuses the answer", { cause: refusal });
}

/** Maximum bytes of an edited message's `text`. https://docs.slack.dev/reference/methods/chat.update */
const longestText = 3_900;

type MarkdownMessage = BelowText & { readonly markdown_text: string; readonly mark: TaskMark };

/** Returns a message with the same text, in which nothing is Markdown, a mention or a block that Slack could refuse. */
function plainForm({ markdown_text, footer, mark }: MarkdownMessage): MarkedMessage {
  const text = [verbatimText(markdown_text), footer].filter((one) => one !== undefined).join("\n\n");
  if (Buffer.byteLength(text) <= longestText) return { text, mark };
  const section = { type: "rich_text_section" as const, elements: [{ type: "text" as const, text: markdown_text }] };
  return { text: notificationOf(markdown_text), blocks: [{ type: "rich_text", elements: [section] }], mark };
}

/** Posts a message, or replaces the one in its place. */
async function bring({ messages }: Attempt, one: Posting, place: Placeholder): Promise<void> {
  if (place.ts !== undefined) return void (await messages.replace(place.ts, one));
  const doubtful = one.doubtful || place.doubtful;
  const { ts, state } = await messages.post({ ...one, doubtful });
  const { state: wanted, part = 1 } = one.message.mark;
  if (state === "failed" && wanted !== "failed" && part > 1)
    throw new UnanswerableError(`an apology replaces part ${part}`);
  // It may be a placeholder or this very message; in the latter case the edit changes nothing.
  if (place.doubtful || state !== wanted) await messages.replace(ts, { ...one, doubtful });
}

/** Returns true if an earlier attempt may have delivered some of the answer. */
function isRepeated({ leased: { attempt, progress } }: Attempt): boolean {
  return attempt > 1 || progress.answer !== undefined;
}

/** Attaches the files of an answer below its text, which does not wait for them. What could not be attached is told in a message of its own. */
async function deliverFiles({ inbox, link }: Workplace, attempt: Attempt, answer: StoredAnswer): Promise<void> {
  const { leased, messages, workspace, emit } = attempt;
  const { request_id, correlation_id } = leased.record;
  const isWhole = await isWholeAttached(inbox, attempt, answer);
  const missing = await attachFiles(link, attempt, answer);
  const notes = [
    isWhole ? undefined : answer.file?.notAttached,
    missing.length === 0 ? undefined : `Could not be attached: ${missing.join(", ")}.`,
  ].filter((note) => note !== undefined);
  if (notes.length === 0) return;
  const mark = { request_id: `${request_id}:files`, correlation_id, state: "done" as const };
  const message = { markdown_text: notes.map((note) => `_${note}_`).join("\n"), mark };
  const posting = { message, budgetMs: workspace.limits.DELIVERY_BUDGET_MS, doubtful: isRepeated(attempt) };
  await messages.post(posting).catch((failure: unknown) => {
    if (!isRefusedForGood(failure)) throw failure;
    emit("notice_lost", { operation: "chat.postMessage", failure });
  });
}

/** Attaches the whole answer when it is too long for messages. Resolves with false if the answer goes without it. */
async function isWholeAttached(inbox: Inbox, attempt: Attempt, { file }: StoredAnswer): Promise<boolean> {
  const { leased, messages } = attempt;
  if (file === undefined || leased.progress.attached === true) return true;
  const filename = `answer-${leased.record.request_id}.md`;
  const attach = (): Promise<void> =>
    messages.attach({ filename, content: file.content, doubtful: isRepeated(attempt) });
  if (!(await isAttached(attempt, attach))) return false;
  await inbox.note(leased, { attached: true });
  return true;
}

/** Attaches the files of the answer; returns the names of those that could not be attached. */
async function attachFiles(link: ZoneLink, attempt: Attempt, { files }: StoredAnswer): Promise<readonly string[]> {
  const missing: string[] = [];
  const { record } = attempt.leased;
  const owner = record.kind === "paused_task" ? { ...record, request_id: record.session } : record;
  for (const file of files?.files ?? []) {
    const { name: filename, media_type } = file;
    const altText = media_type.startsWith("image/") ? `Image: ${oneLine(filename, 200)}` : undefined;
    const attach = async (): Promise<void> => {
      const content = await link.readFile(owner, files?.taskId ?? "", file);
      await attempt.messages.attach({ filename, content, altText, doubtful: isRepeated(attempt) });
    };
    if (!(await isAttached(attempt, attach))) missing.push(oneLine(filename, 80));
  }
  return missing;
}

/** Attaches a file. Resolves with false, and reports it, if the answer goes without the file. */
async function isAttached({ emit }: Attempt, attach: () => Promise<void>): Promise<boolean> {
  try {
    await attach();
    return true;
  } catch (failure) {
    const isForeseen = [SlackCallError, ZoneError, LinkError].some((kind) => failure instanceof kind);
    if (!isForeseen || concernOf(failure) === "thread") throw failure;
    emit("file_not_attached", { operation: "files.completeUploadExternal", failure });
    return false;
  }
}

/**
 * Returns the app's direct messages with the record's person, for what Slack refuses in the record's place; undefined if that is their
 * conversation. Rejects with a `SlackCallError`.
 */
export async function directMessages(
  { slack, clock }: WorkspaceContext,
  { channel, user_id, received_at }: RecordHead,
  leave: AbortSignal,
): Promise<MarkedMessages | undefined> {
  if (channel.startsWith("D")) return undefined;
  const after = tsBefore(received_at);
  return createMarkedMessages({ slack, clock, thread: { channel: await slack.openDirect(user_id), after }, leave });
}
