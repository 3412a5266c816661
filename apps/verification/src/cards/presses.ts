import { randomUUID } from "node:crypto";
import type { InputRequest, ParamProblem } from "@crosszone/contracts";
import { showUnseen } from "@crosszone/service-kit/text";
import type { Button } from "@slack/web-api";
import {
  type AnswerPress,
  headOf,
  type InputPress,
  type LeasedRecord,
  type PressRecord,
  type Question,
  type RecordHead,
} from "../inbox/records.ts";
import type { RatingStore } from "../inbox/thread-store.ts";
import type { ZoneLink } from "../link/zone-link.ts";
import { callOf } from "../showing/agents-list.ts";
import { tsBefore, type Workplace } from "../showing/attempt.ts";
import { literalText, mention, neutraliseMentions, plain } from "../showing/markdown/neutralise.ts";
import { createMarkedMessages } from "../showing/marked-messages.ts";
import { type ModalErrors, readOffered } from "../slack/interaction.ts";
import { readMessage } from "../slack/reading/read-message.ts";
import {
  answerModal,
  argumentsModal,
  denyModal,
  enteredText,
  formInputs,
  longestLabel,
  modalErrors,
  type ModalParts,
  readModalAnswer,
  readForm,
  reasonInput,
  workflowForm,
} from "./input-modals.ts";

/** A press or a submitted modal that is taken. */
interface TakenPress {
  /** The id of the element, or of the modal, without a number. */
  readonly element: string;
  /** The value of the pressed element; of a modal, that of the element that opened it. */
  readonly value?: string | undefined;
  /** The digest of the action that the card shows. */
  readonly digest?: string | undefined;
  /** What was entered in the modal, by block. */
  readonly values?: Readonly<Record<string, string>> | undefined;
  /** The request of the card; undefined once it is closed. */
  readonly request?: InputRequest | undefined;
  readonly link: ZoneLink;
}

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

const acted = (text: string): Acted => ({ text, isRejected: false, outcome: "done" });
export const rejected = (text: string): Acted => ({ text, isRejected: true, outcome: "rejected" });

type Decision = Pick<InputPress, "answer" | "digest">;

interface PressRow {
  /**
   * Returns the modal that a press opens, and false if it opens none. Resolves with undefined if there is nothing to fill in any more. What
   * opens a modal does nothing until that is submitted, unless `isDoneAtOnce`.
   */
  readonly modal?: (taken: TakenPress) => Promise<ModalParts | undefined> | false;
  readonly isDoneAtOnce?: true;
  /** Returns what a submitted modal shows when it is rejected. Without it, the modal does not wait. */
  readonly reply?: (done: Acted, request: InputRequest | undefined) => ModalErrors;
}

/** A press on the card of an input request: an answer, which execution judges. */
interface CardPress extends PressRow {
  readonly of: "input";
  /** Returns what a press without a modal decides. */
  readonly decides?: (taken: TakenPress) => Decision;
  /** Returns what a submitted modal decides; undefined if the request is closed. */
  readonly entered: (taken: TakenPress) => Decision | undefined;
}

/** A press under an answer or on the Home tab, for a person whom the policy allows to ask. Doing it again changes nothing. */
interface PressBelow extends PressRow {
  readonly of: "answer";
  /** True if it is on the Home tab, which then says what became of it. */
  readonly isOnHome?: true;
  readonly act: (work: PressWork, press: AnswerPress) => Promise<Acted>;
}

type Press = CardPress | PressBelow;

const onCard: CardPress = {
  of: "input",
  entered: ({ request, values, digest }) => request && { answer: readModalAnswer(request, values), digest },
  reply: modalErrors,
};

/** The value of the button for a bad answer. */
export const badRating = "bad";

/** What people can press, by the verb of its handle. */
const presses = {
  approve: { ...onCard, decides: ({ digest }) => ({ answer: { verdict: "approve" }, digest }) },
  deny: {
    ...onCard,
    modal: async ({ request }) => request && denyModal(request),
    entered: ({ request, values, digest }) =>
      request && { answer: { verdict: "deny", reason: enteredText(values) }, digest },
    reply: (done) => modalErrors(done),
  },
  choose: { ...onCard, decides: ({ value }) => ({ answer: { verdict: "answer", value } }) },
  open: { ...onCard, modal: async ({ request }) => request && answerModal(request) },
  show: { ...onCard, modal: async ({ request, element, value }) => request && argumentsModal(request, element, value) },
  again: { of: "answer", act: askAgain },
  other: { of: "answer", act: askAgain },
  prompt: { of: "answer", act: askOffered },
  example: { of: "answer", act: askOffered, isOnHome: true },
  rate: {
    of: "answer",
    modal: ({ value }) => value === badRating && Promise.resolve(feedbackModal),
    isDoneAtOnce: true,
    act: rate,
  },
  form: { of: "answer", modal: formModal, act: runWithForm },
} satisfies Readonly<Record<string, Press>>;

export type PressVerb = keyof typeof presses;

/**
 * What an element or modal says about itself: what people press, and the id of an input request, or the reference of an answer. It decides
 * nothing: everybody in the conversation can read it.
 */
interface Handle {
  readonly verb: PressVerb;
  readonly id: string;
}

/** Returns a button. `nth` tells those with the same handle apart. */
export function button(label: string, handle: Handle, { nth, ...rest }: Partial<Button> & { nth?: number }): Button {
  return { type: "button", action_id: handleText(handle, nth), text: plain(label, longestLabel), ...rest };
}

/** Returns the id of an element or modal. `nth` tells elements with the same handle apart. */
export function handleText({ verb, id }: Handle, nth?: number): string {
  return `${presses[verb].of}:${verb}:${id}${nth === undefined ? "" : `:${nth}`}`;
}

const isVerb = (verb: string): verb is PressVerb => Object.hasOwn(presses, verb);

/** Returns what people press; undefined if there is no such verb. */
export const pressOf = (verb: string): Press | undefined => (isVerb(verb) ? presses[verb] : undefined);

/** Returns true if people press it on the Home tab. */
export function isOnHome(verb: string): boolean {
  const row = pressOf(verb);
  return row?.of === "answer" && row.isOnHome === true;
}

/** Reads the id of an element or modal; undefined if it is not the app's. */
export function readHandle(text: string): (Handle & { readonly of: Press["of"] }) | undefined {
  const [, of, verb = "", id = ""] = /^(\w+):(\w+):([\w-]{16,64})(?::\d+)?$/.exec(text) ?? [];
  return isVerb(verb) && presses[verb].of === of ? { of: presses[verb].of, verb, id } : undefined;
}

/** Returns what a press or a submitted modal stores; undefined if its request is closed. */
export function pressToStore(row: Press, { verb, id }: Handle, taken: TakenPress): PressRecord["press"] | undefined {
  const { value, values } = taken;
  if (row.of === "answer") return { of: "answer", verb, id, value, values };
  const decision = values === undefined ? row.decides?.(taken) : row.entered(taken);
  return decision && { of: "input", id, ...decision };
}

/** Asks the question of a failed answer again, of the same agent or of another one: once each, and only for its author. */
async function askAgain(work: PressWork, { id, value = "" }: AnswerPress): Promise<Acted> {
  const { slack, identity } = work.workspace;
  const { channel, thread_ts, user_id } = work.leased.record;
  const [, ts = "", agent] = /^(\S+)(?: (.*))?$/s.exec(value) ?? [];
  // Slack returns the thread's first message too.
  const { messages } = await slack.replies({ channel, thread_ts, oldest: ts, latest: ts, limit: 2 });
  const asked = messages.find((message) => message.ts === ts);
  if (asked === undefined) return rejected("I can't find the question any more. Please write it again.");
  const { mark, raw } = asked;
  const author = mark?.asker ?? asked.user ?? "";
  if (author !== user_id) return rejected(`Only ${mention(author)} can ask this again.`);
  const read = readMessage(mark === undefined ? raw : { text: raw["text"] }, identity.bot_user_id);
  const { words, others, hasQuotes: has_quotes, unreadable, files } = read;
  const text = mark?.prompt ?? (mark === undefined ? words : words.replace(anchorStart, ""));
  const content = { text, files, others, has_quotes, unreadable };
  const offered_by = mark?.offered_by;
  return enqueue(work, { claim: `again ${id} ${agent ?? ""}`, ts, ...content, agent: agent ?? offered_by, offered_by });
}

/** Asks a text that an agent wrote. */
function askOffered(work: PressWork, { value = "" }: AnswerPress): Promise<Acted> {
  return askAs(work, readOffered(value));
}

/** How the message begins that shows what a person asked by a press. */
const anchorStart = /^<@\w+> asked: /;

/**
 * Asks a text as the question of the person who pressed, below a message that says so: in the thread of the press, or in a new one. A text that an agent wrote goes to that agent, as it is.
 */
async function askAs(
  work: PressWork,
  { text, offered_by }: { readonly text: string; readonly offered_by?: string },
): Promise<Acted> {
  const { workspace, leased, signal: leave } = work;
  const { slack, clock, limits } = workspace;
  const { channel, thread_ts, user_id: asker, request_id, correlation_id, received_at } = leased.record;
  const thread = thread_ts === "" ? { channel, after: tsBefore(received_at) } : { channel, thread_ts };
  const messages = createMarkedMessages({ slack, clock, thread, leave });
  const visible = offered_by === undefined ? text : showUnseen(text);
  const shown = `${mention(asker)} asked: ${literalText(neutraliseMentions(visible))}`;
  const offered = offered_by !== undefined && { offered_by, prompt: text };
  const message = { text: shown, mark: { request_id, correlation_id, state: "done" as const, asker, ...offered } };
  const budgetMs = limits.DELIVERY_BUDGET_MS;
  const { ts } = await messages.post({ message, budgetMs, doubtful: leased.attempt > 1 });
  return enqueue(work, { claim: `asked ${request_id}`, ts, text, files: [], agent: offered_by, offered_by });
}

/** What a press asks: a new question without the ids of its record. */
type Asked = Omit<Question, keyof RecordHead | "kind" | "files_unknown"> & { readonly claim: string };

async function enqueue(
  { inbox, workspace, leased: { record, attempt } }: PressWork,
  { claim, ...asked }: Asked,
): Promise<Acted> {
  if ((await inbox.queueIn(record)).waiting >= workspace.limits.MAX_WAITING_PER_THREAD)
    return rejected("Too many questions wait in this thread. Please try again later.");
  const place = record.thread_ts === "" ? { thread_ts: asked.ts } : { in_thread: true };
  const head = { ...headOf(record), ...place, request_id: randomUUID(), claims: [claim] };
  const stored = await inbox.accept({ ...head, kind: "ask", ...asked, files_unknown: false });
  // A crashed attempt may have stored it.
  if (stored === "duplicate" && attempt === 1) return rejected("You have already asked this again.");
  return acted(asked.agent === undefined ? "Asked." : `Asked ${literalText(asked.agent)}.`);
}

const feedbackModal: ModalParts = {
  title: "Feedback",
  submit: "Send",
  about: "What was wrong with the answer?",
  blocks: [reasonInput],
};

async function rate(
  { ratings, leased: { record } }: PressWork,
  { id: reference, value, values }: AnswerPress,
): Promise<Acted> {
  const { team_id, user_id } = record;
  const reason = enteredText(values) ?? "";
  const rating = value === badRating ? "bad" : "good";
  const isChanged = await ratings.put({ reference, team_id, user_id, rating, reason });
  // A reason follows a rating that was thanked for.
  return acted(isChanged && reason === "" ? "Thank you for your feedback." : "");
}

/** Time to read a form before Slack's trigger expires, milliseconds. */
const formMs = 1_500;

async function formModal({ value: about = "", link }: TakenPress): Promise<ModalParts | undefined> {
  const schema = await workflowForm(about, { link, call: { timeoutMs: formMs } });
  return schema && { title: "Run a workflow", submit: "Run", about, blocks: formInputs(schema) };
}

async function runWithForm(work: PressWork, { value: workflow = "", values }: AnswerPress): Promise<Acted> {
  const { link, signal, leased } = work;
  const call = { signal, correlationId: leased.record.correlation_id };
  const schema = await workflowForm(workflow, { link, call });
  if (schema === undefined) return rejected("This workflow has no form any more. Run it again to see what it needs.");
  const input = JSON.stringify(readForm(schema, values));
  return askAs(work, { text: `${callOf({ name: workflow, kind: "workflow" })}: ${input}` });
}
