import { randomUUID } from "node:crypto";
import type { ParamProblem } from "@crosszone/contracts";
import { showUnseen } from "@crosszone/service-kit/text";
import {
  type AnswerPress,
  headOf,
  type HomeRecord,
  type LeasedRecord,
  messageClaim,
  type Question,
  type RecordHead,
} from "../inbox/records.ts";
import type { RatingStore } from "../inbox/rating-store.ts";
import { postAnchor } from "../showing/attempt.ts";
import type { Workplace } from "../showing/workplace.ts";
import { literalText, mention, neutraliseMentions } from "../showing/markdown/neutralise.ts";
import { isRefusedForGood, readNow } from "../showing/send-once.ts";
import { readAbout, readOffered } from "../slack/interaction.ts";
import { namesIn } from "../slack/notation.ts";
import { readMessage } from "../slack/reading/read-message.ts";
import type { MessagePlace, TaskMark } from "../slack/slack-api.ts";
import { enteredText } from "./input-modals.ts";

/** A stored press that is worked on. */
export interface PressWork extends Workplace {
  readonly ratings: RatingStore;
  readonly leased: LeasedRecord<"press">;
  /** Aborts when this process must leave the record unchanged. */
  readonly signal: AbortSignal;
}

/** What became of a press. */
export interface Acted {
  /** What its person reads; empty if there is nothing to say. */
  readonly text: string;
  /** True if it had no effect, so that a modal stays open. */
  readonly isRejected: boolean;
  /** What is wrong with the answer. */
  readonly problems?: readonly ParamProblem[] | undefined;
  /** For the log. */
  readonly outcome: string;
}

export const acted = (text: string): Acted => ({ text, isRejected: false, outcome: "done" });
export const rejected = (text: string): Acted => ({ text, isRejected: true, outcome: "rejected" });

const gone = "I can't find the question any more. Please write it again.";

/** Asks the question of a failed answer again, of the same agent or of another one: once each, and only for its author. */
export async function askAgain(work: PressWork, { id, value = "" }: AnswerPress): Promise<Acted> {
  const { slack, identity } = work.workspace;
  const { channel, thread_ts, user_id } = work.leased.record;
  const [, ts = "", other] = /^(\S+)(?: (.*))?$/s.exec(value) ?? [];
  // Slack returns the thread's first message too.
  const { messages } = await slack.replies({ channel, thread_ts, oldest: ts, latest: ts, limit: 2 });
  const asked = messages.find((message) => message.ts === ts);
  if (asked === undefined) return rejected(gone);
  const { mark, raw } = asked;
  const author = mark?.asker ?? asked.user ?? "";
  if (author !== user_id) return rejected(`Only ${mention(author)} can ask this again.`);
  const is_literal = mark?.agent !== undefined;
  if (is_literal && mark.prompt === undefined) return rejected(gone);
  const read = readMessage(mark === undefined ? raw : { text: raw["text"] }, identity.bot_user_id);
  const { words, hasQuotes: has_quotes } = read;
  const [aboutChannel = "", aboutTs = "", formId = ""] = mark?.about?.split(" ") ?? [];
  const place = { channel: aboutChannel, ts: aboutTs };
  const found = aboutTs === "" ? undefined : await readSeen(work, place);
  const about = aboutTs === "" ? read : await readOthers(work, place, { formId, found });
  const text = mark?.prompt ?? (mark === undefined ? words : words.replace(anchorStart, ""));
  const content = { text, files: about.files, others: about.others, has_quotes, unreadable: about.unreadable };
  const offered_by = mark?.offered_by;
  const agent = other ?? mark?.agent ?? offered_by;
  const where = thread_ts === "" ? { thread_ts: ts } : { in_thread: true };
  const claims = [`again ${id} ${other ?? ""}`];
  return enqueue(work, where, { claims, ts, ...content, agent, offered_by, is_literal });
}

/** Stores that the Home tab of a press is published again, once: with what became of the press, or with one part of it. */
export async function showHomeAgain(
  { inbox, leased: { record } }: Pick<PressWork, "inbox" | "leased">,
  shown: Pick<HomeRecord, "note" | "page">,
): Promise<Acted> {
  const ids = { request_id: randomUUID(), correlation_id: randomUUID(), claims: [`home ${record.request_id}`] };
  await inbox.accept({ ...headOf(record), ...ids, kind: "home", ...shown });
  return acted("");
}

/** Asks a text that an agent wrote. */
export function askOffered(work: PressWork, { value = "" }: AnswerPress): Promise<Acted> {
  return askAs(work, readOffered(value));
}

/** How the message begins that shows what a person asked by a press. */
const anchorStart = /^<@\w+> asked: /;

/**
 * Asks a text as the question of the person who pressed, below a message that says so: in the thread of the press, or in a new one. A text that an agent wrote goes to that agent, as it is.
 */
export async function askAs(
  work: PressWork,
  { text, offered_by }: { readonly text: string; readonly offered_by?: string },
): Promise<Acted> {
  const visible = offered_by === undefined ? text : showUnseen(text);
  const shown = `${mention(work.leased.record.user_id)} asked: ${literalText(neutraliseMentions(visible))}`;
  const mark = offered_by === undefined ? {} : { offered_by, prompt: text };
  const done = await askBelow(work, { shown, mark }, { text, files: [], agent: offered_by, offered_by });
  const isElsewhere = work.leased.record.on_home === true && !done.isRejected;
  return isElsewhere ? acted(`${done.text} The answer comes in the tab *Messages*.`) : done;
}

type About = ReturnType<typeof readAbout>;

/** As durable as the claim of the message. */
const reactionClaim = ({ team_id }: RecordHead, { channel, ts, reaction = "" }: About): string =>
  messageClaim(`:${reaction}: ${team_id}`, channel, ts);

/** Gives the claim of a reaction back if nothing was asked, so that another one asks. */
export async function freeReaction({ inbox, leased }: PressWork, { value = "" }: AnswerPress): Promise<void> {
  const { record } = leased;
  if ((await inbox.asked.openOf(`asked ${record.request_id}`)) === undefined)
    await inbox.asked.giveBack(reactionClaim(record, readAbout(value)), record.request_id);
}

/**
 * Asks an agent about a message of others, in its thread, as the person who pressed or added the reaction, unless it was deleted. A reaction asks
 * once for everybody.
 */
export async function askAbout(work: PressWork, { id, value = "", values }: AnswerPress): Promise<Acted> {
  const { leased, inbox } = work;
  const { record } = leased;
  const about = readAbout(value);
  const { channel, ts, agent = values?.["agent"] ?? "", reaction } = about;
  const found = await readSeen(work, about);
  if (found === undefined)
    return { ...rejected("That message is gone, so I did not ask anybody about it."), outcome: "gone" };
  if (reaction !== undefined && !(await inbox.asked.claim(reactionClaim(record, about), record.request_id)))
    return { text: "", isRejected: false, outcome: "duplicate" };
  const text = enteredText(values) ?? "";
  const { files, others, unreadable, thread_ts, url } = await readOthers(work, about, { formId: id, found });
  // The app may not see the conversation of the message.
  const isThere = record.channel === channel;
  const inThread = isThere ? { ...leased, record: { ...record, thread_ts, in_thread: true } } : leased;
  const message = `<${url}|${isThere ? "this message" : "a message"}>`;
  const asked = text === "" ? "" : `: ${literalText(neutraliseMentions(text))}`;
  const shown = `${mention(record.user_id)} asked ${literalText(agent)} about ${message}${asked}`;
  const mark = { agent, prompt: promptOf(text), about: `${channel} ${ts} ${id}` };
  const question = { text, files, others, unreadable, agent, is_literal: true };
  const done = await askBelow({ ...work, leased: inThread }, { shown, mark }, question);
  return done.isRejected ? done : acted("");
}

/** Characters of a text that a message can keep for another attempt. */
const longestPrompt = 2_000;
export const promptOf = (text: string): string | undefined => (text.length <= longestPrompt ? text : undefined);

const tooLong = { what: "The blocks and attachments of the message", why: "They are too long to pass on." };
const notKept = { what: "The message", why: "It is not kept any more. Use the shortcut again." };

/** Resolves with a message as it is now: undefined if it was deleted, `hidden` if the app can't read the conversation. */
const readSeen = ({ workspace }: PressWork, { channel, ts }: MessagePlace) =>
  readNow(workspace.slack, { channel, ts }).catch((error: unknown) => {
    if (isRefusedForGood(error)) return "hidden" as const;
    throw error;
  });

/**
 * Returns a message as content of others, with its files. Where the app can't read it, it is what Slack passed on with the shortcut and the inbox
 * keeps for the form `formId`.
 */
async function readOthers(
  { inbox, workspace: { slack, identity, directory } }: PressWork,
  { channel, ts, ...sent }: About,
  { formId, found }: { readonly formId: string; readonly found: Awaited<ReturnType<typeof readSeen>> },
) {
  const isFound = found !== undefined && found !== "hidden";
  const kept = isFound ? undefined : await inbox.keptMessage(formId);
  const raw = isFound ? found : (kept?.raw ?? sent);
  const isLost = raw === sent && sent["text"] === undefined;
  const { author, words, others, files, unreadable } = readMessage(raw, identity.bot_user_id);
  const { user = "", name = (await namesIn([mention(user)], directory)).get(user) } = author;
  const redirect = `https://slack.com/app_redirect?team=${identity.team_id}&channel=${channel}&message_ts=${ts}`;
  const url = await slack.permalink({ channel, ts }).catch(() => redirect);
  const itself = {
    kind: "forwarded",
    text: words,
    author: name,
    user: user || undefined,
    channel: `<#${channel}>`,
    ts,
    url,
  };
  return {
    others: [itself, ...others],
    files: files.map((file) => ({ author: name, ...file, others: true })),
    unreadable: [...unreadable, ...(kept?.isCut === true ? [tooLong] : []), ...(isLost ? [notKept] : [])],
    url,
    thread_ts: typeof raw["thread_ts"] === "string" ? raw["thread_ts"] : ts,
  };
}

/** What is asked without a message of a person: a new question without the ids and the place of its record. */
type Asked = Omit<Question, keyof RecordHead | "kind" | "files_unknown">;

/** Posts the message that shows what a person asks, and asks it below, once each. */
async function askBelow(
  work: PressWork,
  { shown, mark }: { readonly shown: string; readonly mark: Partial<TaskMark> },
  asked: Omit<Asked, "ts">,
): Promise<Acted> {
  const { workspace, leased, signal: leave } = work;
  const { record } = leased;
  const marked = { text: shown, mark: { asker: record.user_id, ...mark }, leave };
  const { ts, text: _shown, ...place } = await postAnchor(workspace, leased, marked);
  const claims = [`asked ${record.request_id}`, messageClaim(record.team_id, place.channel, ts)];
  return enqueue(work, place, { claims, ts, ...asked });
}

async function enqueue(
  { inbox, workspace, leased: { record, attempt } }: PressWork,
  place: Partial<RecordHead>,
  { claims, ...asked }: Asked & { readonly claims: readonly string[] },
): Promise<Acted> {
  if ((await inbox.queueIn({ ...record, ...place })).waiting >= workspace.limits.MAX_WAITING_PER_THREAD)
    return rejected("Too many questions wait in this thread. Please try again later.");
  const head = { ...headOf(record), ...place, request_id: randomUUID(), claims };
  const stored = await inbox.accept({ ...head, kind: "ask", ...asked, files_unknown: false });
  // A crashed attempt may have stored it.
  if (stored === "duplicate" && attempt === 1) return rejected("You have already asked this again.");
  return acted(asked.agent === undefined ? "Asked." : `Asked ${literalText(asked.agent)}.`);
}
