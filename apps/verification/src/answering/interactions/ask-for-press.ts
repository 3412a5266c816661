import { showUnseen } from "@crosszone/service-kit/text";
import { type AnswerPress, headOf, type Question } from "../../inbox/records.ts";
import { readMessage } from "../../slack/reading/read-message.ts";
import { mention } from "../inputs/people-text.ts";
import { literalText, neutraliseMentions } from "../markdown/neutralise.ts";
import { createMarkedMessages } from "../posting/marked-messages.ts";
import type { Answering } from "../questions/attempt.ts";
import { type Acted, acted, type PressWork, rejected } from "../presses/pressers.ts";

/** Asks the question of a failed answer again, of the same agent or of another one: once each, and only for its author. */
export async function askAgain(answering: Answering, work: PressWork, { id, value = "" }: AnswerPress): Promise<Acted> {
  const { slack, identity } = answering.workspace;
  const { channel, thread_ts, user_id } = work.leased.record;
  const [, ts = "", agent] = /^(\S+)(?: (.*))?$/s.exec(value) ?? [];
  // Slack returns the thread's first message too.
  const { messages } = await slack.replies({ channel, thread_ts, oldest: ts, latest: ts, limit: 2 });
  const asked = messages.find((message) => message.ts === ts);
  if (asked === undefined) return rejected("I can't find the question any more. Please write it again.");
  const { asker, prompt, offered_by } = asked.mark ?? {};
  const author = asker ?? asked.user ?? "";
  if (author !== user_id) return rejected(`Only ${mention(author)} can ask this again.`);
  const {
    words,
    others,
    hasQuotes: has_quotes,
    unreadable,
    files,
  } = readMessage(asked.mark === undefined ? asked.raw : { text: asked.raw["text"] }, identity.bot_user_id);
  const text = prompt ?? (asked.mark === undefined ? words : words.replace(anchorStart, ""));
  const claim = `again ${id} ${agent ?? ""}`;
  const content = { text, files, others, has_quotes, unreadable };
  return enqueue(answering, work, { claim, ts, ...content, agent: agent ?? offered_by, offered_by });
}

/** How the message begins that shows what a person asked by a press. */
const anchorStart = /^<@\w+> asked: /;

/**
 * Asks a text as the question of the person who pressed, below a message that says so. A text that an agent wrote goes to that agent, as it is.
 */
export async function askAs(
  answering: Answering,
  work: PressWork,
  { text, offered_by }: Pick<Question, "text" | "offered_by">,
): Promise<Acted> {
  const { workspace, clock, limits } = answering;
  const { leased, signal: leave } = work;
  const { channel, thread_ts, user_id: asker, request_id, correlation_id } = leased.record;
  const { slack } = workspace;
  const messages = createMarkedMessages({ slack, clock, thread: { channel, thread_ts }, leave });
  const visible = offered_by === undefined ? text : showUnseen(text);
  const shown = `${mention(asker)} asked: ${literalText(neutraliseMentions(visible))}`;
  const offered = offered_by !== undefined && { offered_by, prompt: text };
  const message = { text: shown, mark: { request_id, correlation_id, state: "done" as const, asker, ...offered } };
  const budgetMs = limits.DELIVERY_BUDGET_MS;
  const { ts } = await messages.post({ message, budgetMs, doubtful: leased.attempt > 1 });
  return enqueue(answering, work, { claim: `asked ${request_id}`, ts, text, files: [], agent: offered_by, offered_by });
}

type Content = Pick<Question, "text" | "files" | "others" | "has_quotes" | "unreadable">;
type Asked = Content & Pick<Question, "ts" | "agent" | "offered_by"> & { readonly claim: string };

async function enqueue(
  { inbox, limits, newId }: Answering,
  { leased: { record, attempt } }: PressWork,
  { claim, ...asked }: Asked,
): Promise<Acted> {
  if ((await inbox.queueIn(record)).waiting >= limits.MAX_WAITING_PER_THREAD)
    return rejected("Too many questions wait in this thread. Please try again later.");
  const head = { ...headOf(record), request_id: newId(), claims: [claim], in_thread: true };
  const stored = await inbox.accept({ ...head, kind: "ask", ...asked, files_unknown: false });
  // A crashed attempt may have stored it.
  if (stored === "duplicate" && attempt === 1) return rejected("You have already asked this again.");
  return acted(asked.agent === undefined ? "Asked." : `Asked ${literalText(asked.agent)}.`);
}
