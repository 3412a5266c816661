import { retry } from "@crosszone/service-kit/timing";
import { decisionHint } from "../cards/input-card.ts";
import { peopleNames } from "../cards/show-input.ts";
import { headOf, type LeasedRecord, type Question, type TurnedAwayRecord } from "../inbox/records.ts";
import type { ThreadQueue } from "../inbox/thread-store.ts";
import { directMessages } from "../showing/deliver-answer.ts";
import { tsBefore, createMarkedMessages, type Posting } from "../showing/marked-messages.ts";
import { enqueueNotice, type Workplace } from "../showing/workplace.ts";
import { channelMention } from "../showing/markdown/neutralise.ts";
import { concernOf, isRefusedForGood, slackRetryAfter } from "../showing/send-once.ts";
import { isFewWords, isOneWord } from "./message-command.ts";

/**
 * Returns the record of a question for its thread: itself, or if the thread has no room, what remains of it: enough to notify its author. It
 * keeps the claims, so that the message's second event is rejected too.
 */
export function intoQueue(
  question: Question,
  { waiting, inWork, answered }: ThreadQueue,
  mostWaiting: number,
): { readonly record: Question | TurnedAwayRecord; readonly queued?: true | undefined } {
  if (waiting + inWork === 0) return { record: question };
  const { text, files, others } = question;
  const isReply = waiting + inWork === answered;
  const one_word = !isReply && files.length === 0 && others === undefined && isOneWord(text);
  if (!one_word && waiting < mostWaiting) return { record: question, queued: true };
  return { record: turnedAway(question, { one_word }) };
}

/** Returns what remains of a question that is not asked. */
export function turnedAway(question: Question, why: Pick<TurnedAwayRecord, "one_word" | "awaits">): TurnedAwayRecord {
  const { request_id, claims } = question;
  return { ...headOf(question), request_id, claims, kind: "turned_away", ...why };
}

/** Returns true if a message has nothing but a word or two that its author typed. */
export const isOnlyFewWords = ({ text, files, others, has_quotes }: Question): boolean =>
  files.length === 0 && others === undefined && has_quotes === undefined && isFewWords(text);

/** Tells the author of a word or two who decides what the thread waits for: a message decides nothing. */
export async function tellWhoDecides(
  { workspace, inbox, link }: Workplace,
  { record }: LeasedRecord<"turned_away">,
  signal: AbortSignal,
): Promise<void> {
  const { awaits = [], correlation_id: correlationId, user_id, channel } = record;
  const call = { signal, correlationId };
  const hints: string[] = [];
  for (const request_id of awaits) {
    const shown = await inbox.findInput(request_id);
    const current = link.call("get_input_request", { request_id }, call);
    const request = await current.catch(() => shown?.request);
    if (request === undefined) continue;
    const names = await peopleNames(request, workspace.directory);
    hints.push(decisionHint(request, { channel, user_id, names }));
  }
  signal.throwIfAborted();
  const text = [...new Set(hints), "To ask something else, write more than two words."].join(" ");
  if (awaits.length > 0) await enqueueNotice(inbox, record, { to: "person", text });
}

/**
 * Posts a notice. A notice in a thread is posted exactly once. An ephemeral notice can't be found again, so it can appear twice if Slack's
 * response is lost.
 */
export async function workOnNotice(
  { workspace }: Workplace,
  { record, attempt }: LeasedRecord<"notice">,
  signal: AbortSignal,
): Promise<void> {
  const { slack, clock, limits } = workspace;
  signal.throwIfAborted();
  const { text, correlation_id, request_id, channel } = record;
  const mark = { request_id, correlation_id, state: "done" as const };
  const posting = (said: string): Posting => {
    return { message: { text: said, mark }, budgetMs: limits.DELIVERY_BUDGET_MS, doubtful: attempt > 1 };
  };
  const thread = record.to === "channel" ? { channel, after: tsBefore(record.received_at) } : record;
  const retrying = { budgetMs: limits.DELIVERY_BUDGET_MS, firstMs: 1_000, longestMs: 10_000, clock, signal };
  try {
    if (record.to === "person")
      return await retry(() => slack.tell(record, text), { ...retrying, retryAfter: slackRetryAfter });
    await createMarkedMessages({ slack, clock, thread, leave: signal }).post(posting(text));
  } catch (failure) {
    if (!isRefusedForGood(failure)) throw failure;
    const isTold = record.to !== "channel" && concernOf(failure) !== "thread" && (await tellDirectly());
    if (!isTold)
      workspace.emit("notice_lost", { correlation_id, request_id, operation: "chat.postEphemeral", failure });
  }

  /** Sends the notice, which Slack refuses in its place, as a direct message. Resolves with false if that is refused too. */
  async function tellDirectly(): Promise<boolean> {
    try {
      const messages = await directMessages(workspace, record, signal);
      await messages?.post(posting(`About your message in ${channelMention(channel)}: ${text}`));
      return messages !== undefined;
    } catch (failure) {
      if (!isRefusedForGood(failure)) throw failure;
      return false;
    }
  }
}
