import { randomUUID } from "node:crypto";
import type { RecordAct } from "@crosszone/audit";
import {
  type AnswerInputResult,
  type InputAnswer,
  type InputOutcome,
  type InputRequest,
  type InputVoter,
  ZoneError,
} from "@crosszone/contracts";
import { LinkError } from "@crosszone/jsonrpc";
import { emitWith } from "@crosszone/service-kit";
import { showUnseen } from "@crosszone/service-kit/text";
import { retry } from "@crosszone/service-kit/timing";
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
import { denialSentence } from "../policy/denials.ts";
import { rejectedAct } from "../policy/policies.ts";
import { callOf } from "../showing/agents-list.ts";
import { badRating, workflowForm, readOffered } from "../showing/answer-controls.ts";
import type { Workplace } from "../showing/attempt.ts";
import { errorSentence } from "../showing/error-sentences.ts";
import { literalText, neutraliseMentions, oneLine } from "../showing/markdown/neutralise.ts";
import { createMarkedMessages } from "../showing/marked-messages.ts";
import { type Acted, acted, type Pressers, type PressReply, type PressWork, rejected } from "../showing/pressers.ts";
import { isRefusedForGood, slackRetryAfter } from "../showing/send-once.ts";
import { readMessage } from "../slack/reading/read-message.ts";
import { SlackCallError } from "../slack/slack-call-error.ts";
import {
  approvalsMissing,
  decidersMrkdwn,
  endingText,
  mention,
  namedDeciders,
  outcomeText,
  timeMrkdwn,
} from "./input-card.ts";
import { answerBlock, readForm } from "./input-modals.ts";
import { readGroups } from "./show-input.ts";

/** Where the presses of one workspace are worked on. */
export interface PressDesk extends Workplace {
  readonly pressers: Pressers;
  readonly ratings: RatingStore;
  readonly recordAct: RecordAct;
}

/** What the reply depends on besides the outcome. */
interface Pressed {
  readonly answer: InputAnswer;
  readonly user_id: string;
  /** True if Slack did not return the members of a group, which then has none. */
  readonly isGroupUnread: boolean;
}

const effective: ReadonlySet<InputOutcome> = new Set(["decided", "counted", "already_voted"]);

const done = { approve: "Approved.", deny: "Denied.", answer: "Your answer was sent." } as const;

const sentences: Readonly<Record<InputOutcome, (request: InputRequest, pressed: Pressed) => string>> = {
  decided: (_request, { answer }) => done[answer.verdict],
  counted: (request) => {
    const missing = approvalsMissing(request);
    return `Your vote counts. ${missing} more ${missing === 1 ? "approval is" : "approvals are"} needed.`;
  },
  already_decided: (request) => `This was decided before: ${outcomeText(request)}.`,
  already_voted: () => "You have answered before, and that counts.",
  not_eligible: (request, { isGroupUnread }) =>
    isGroupUnread
      ? "I could not read who is in the user group that decides this. Please try again in a minute."
      : `This is not yours to decide. Ask ${decidersMrkdwn(request).replaceAll(/<!subteam\^(\w+)>/g, "the user group $1")}.`,
  expired: ({ expires_at }) => `This expired, ${timeMrkdwn(expires_at)}, before your answer. Nothing was done.`,
  withdrawn: ({ closed_because }) =>
    `This was withdrawn${closed_because === undefined ? "" : ` (${oneLine(closed_because, 255)})`}. There is nothing to decide any more.`,
  changed: () => "What this asks for is not what you saw. Look at the message again before you decide.",
};

/** Returns what a person reads about their answer. */
function pressReply({ outcome, input_request }: AnswerInputResult, pressed: Pressed): PressReply {
  const isSelf = outcome === "already_decided" && input_request.votes.at(-1)?.user_id === pressed.user_id;
  const text = isSelf ? `${endingText(input_request)} already, by you.` : sentences[outcome](input_request, pressed);
  return { text, isRejected: !effective.has(outcome) };
}

/** Returns what a person reads whose answer could not be judged. */
function failedReply(error: unknown, { correlation_id, user_id }: PressRecord): PressReply {
  const problems = error instanceof ZoneError && error.kind === "invalid_params" ? error.data.problems : undefined;
  if (problems === undefined) return { text: errorSentence(error, correlation_id), isRejected: true };
  const [first] = problems;
  const why = first === undefined ? "" : ` It ${oneLine(first.message, 150)}.`;
  return { text: `${mention(user_id)}, this answer does not fit what is asked.${why}`, isRejected: true, problems };
}

/** How long a stored answer is retried before its person reads that it failed, milliseconds. */
const longestRetryMs = 60_000;

/**
 * Passes an answer to an input request on, with the groups that its person is in now. Passing it on again changes nothing. Rejects with the
 * `ZoneError` or `LinkError` that it ended with.
 */
async function sendDecision(
  { workspace, link }: PressDesk,
  { leased: { record }, signal, emit }: PressWork,
  press: InputPress,
): Promise<Acted> {
  const { user_id, user_team, team_id, correlation_id: correlationId } = record;
  const { id, answer, digest } = press;
  const call = { signal, correlationId };
  const retries = { signal, mostMs: longestRetryMs };
  const request = await link.retry(() => link.call("get_input_request", { request_id: id }, call), retries);
  const named = new Set(namedDeciders(request));
  const earlier = request.votes.filter((vote) => vote.user_id !== user_id);
  const people = [{ user_id, team_id: user_team }, ...earlier];
  const isByGroup = request.state === "open" && people.some((person) => !named.has(person.user_id));
  const groups = isByGroup ? request.decide.groups : [];
  const onFailure = (failure: unknown): void =>
    emit("input_group_unread", { operation: "usergroups.users.list", failure });
  const members = await readGroups(groups, { slack: workspace.slack, team_id, onFailure });
  const [by, ...voters] = people.map((person): InputVoter => {
    const inGroups = [...members].flatMap(([group, users]) => (users.has(person.user_id) ? [group] : []));
    return { user_id: person.user_id, team_id: person.team_id, groups: inGroups };
  }) as [InputVoter, ...InputVoter[]];
  const params = { request_id: id, answer, by, voters, digest };
  const result = await link.retry(() => link.call("answer_input", params, call), retries);
  const isGroupUnread = members.size < groups.length;
  return { ...pressReply(result, { answer, user_id, isGroupUnread }), outcome: result.outcome };
}

/** Asks the question of a failed answer again, of the same agent or of another one: once each, and only for its author. */
async function askAgain(desk: PressDesk, work: PressWork, { id, value = "" }: AnswerPress): Promise<Acted> {
  const { slack, identity } = desk.workspace;
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
  return enqueue(desk, work, { claim, ts, ...content, agent: agent ?? offered_by, offered_by });
}

/** How the message begins that shows what a person asked by a press. */
const anchorStart = /^<@\w+> asked: /;

/**
 * Asks a text as the question of the person who pressed, below a message that says so. A text that an agent wrote goes to that agent, as it is.
 */
async function askAs(
  desk: PressDesk,
  work: PressWork,
  { text, offered_by }: { readonly text: string; readonly offered_by?: string },
): Promise<Acted> {
  const { slack, clock, limits } = desk.workspace;
  const { leased, signal: leave } = work;
  const { channel, thread_ts, user_id: asker, request_id, correlation_id } = leased.record;
  const messages = createMarkedMessages({ slack, clock, thread: { channel, thread_ts }, leave });
  const visible = offered_by === undefined ? text : showUnseen(text);
  const shown = `${mention(asker)} asked: ${literalText(neutraliseMentions(visible))}`;
  const offered = offered_by !== undefined && { offered_by, prompt: text };
  const message = { text: shown, mark: { request_id, correlation_id, state: "done" as const, asker, ...offered } };
  const budgetMs = limits.DELIVERY_BUDGET_MS;
  const { ts } = await messages.post({ message, budgetMs, doubtful: leased.attempt > 1 });
  return enqueue(desk, work, { claim: `asked ${request_id}`, ts, text, files: [], agent: offered_by, offered_by });
}

/** What a press asks: a new question without the ids of its record. */
type Asked = Omit<Question, keyof RecordHead | "kind" | "files_unknown"> & { readonly claim: string };

async function enqueue(
  { inbox, workspace }: PressDesk,
  { leased: { record, attempt } }: PressWork,
  { claim, ...asked }: Asked,
): Promise<Acted> {
  if ((await inbox.queueIn(record)).waiting >= workspace.limits.MAX_WAITING_PER_THREAD)
    return rejected("Too many questions wait in this thread. Please try again later.");
  const head = { ...headOf(record), request_id: randomUUID(), claims: [claim], in_thread: true };
  const stored = await inbox.accept({ ...head, kind: "ask", ...asked, files_unknown: false });
  // A crashed attempt may have stored it.
  if (stored === "duplicate" && attempt === 1) return rejected("You have already asked this again.");
  return acted(asked.agent === undefined ? "Asked." : `Asked ${literalText(asked.agent)}.`);
}

type Act = (desk: PressDesk, work: PressWork, press: AnswerPress) => Promise<Acted>;

/**
 * Does what was pressed under an answer, if the policy allows its person to ask. Doing it again changes nothing. Rejects with the `ZoneError`,
 * `LinkError` or `SlackCallError` that it ended with.
 */
const actOnAnswer: Act = async (desk, work, press) => {
  const { record } = work.leased;
  const { denial } = await desk.workspace.policies.onRetry(record);
  if (denial !== undefined)
    return rejected(denialSentence(denial, record.correlation_id) ?? "You can't use this here.");
  return acts[press.verb](desk, work, press);
};

const rate: Act = async ({ ratings }, { leased: { record } }, { id: reference, value, values }) => {
  const { team_id, user_id } = record;
  const reason = values?.[answerBlock]?.trim() ?? "";
  const rating = value === badRating ? "bad" : "good";
  const isChanged = await ratings.put({ reference, team_id, user_id, rating, reason });
  // A reason follows a rating that was thanked for.
  return acted(isChanged && reason === "" ? "Thank you for your feedback." : "");
};

const runWithForm: Act = async (desk, work, { value: workflow = "", values = {} }) => {
  const { signal, leased } = work;
  const call = { signal, correlationId: leased.record.correlation_id };
  const schema = await workflowForm(workflow, { link: desk.link, call });
  if (schema === undefined) return rejected("This workflow has no form any more. Run it again to see what it needs.");
  const input = JSON.stringify(readForm(schema, values));
  return askAs(desk, work, { text: `${callOf({ name: workflow, kind: "workflow" })}: ${input}` });
};

const acts: Readonly<Record<AnswerPress["verb"], Act>> = {
  again: askAgain,
  other: askAgain,
  rate,
  prompt: (desk, work, { value = "" }) => askAs(desk, work, readOffered(value)),
  form: runWithForm,
};

/** A person may read the same sentence twice, but must read it. */
const tellRetry = { firstMs: 500, longestMs: 5_000, budgetMs: 30_000, retryAfter: slackRetryAfter };

/**
 * Works on a stored press: does what was pressed, and tells only its person what became of it. Doing it again changes nothing.
 */
export async function workOnPress(desk: PressDesk, leased: LeasedRecord<"press">, lease: AbortSignal): Promise<void> {
  const { workspace, running, pressers, recordAct } = desk;
  const { slack, clock } = workspace;
  const signal = AbortSignal.any([lease, running.leaving]);
  signal.throwIfAborted();
  const { record } = leased;
  const { correlation_id, request_id, traceparent, user_id, channel, press } = record;
  const emit = emitWith(workspace.emit, { correlation_id, request_id, traceparent, user_id, channel });
  const pressed = (outcome: string, failure?: unknown): void => {
    if (press.of === "input") emit("input_pressed", { input_id: press.id, outcome, failure });
    else emit("answer_pressed", { reference: press.id, verb: press.verb, outcome, failure });
  };
  const work: PressWork = { leased, signal, emit };
  const acting = press.of === "input" ? sendDecision(desk, work, press) : actOnAnswer(desk, work, press);
  const { outcome, ...reply } = await acting.catch((failure: unknown): Acted => {
    signal.throwIfAborted();
    if (!(failure instanceof ZoneError) && !(failure instanceof LinkError) && !isRefusedForGood(failure)) throw failure;
    pressed("failed", failure);
    return { ...failedReply(failure, record), outcome: "" };
  });
  if (outcome !== "") pressed(outcome);
  // Execution records what becomes of an input request.
  if (outcome === "rejected" && press.of === "answer") await recordAct(rejectedPress(record, press));
  const tell = (): Promise<void> => pressers.answer(slack, record, reply);
  await retry(tell, { ...tellRetry, clock, signal }).catch((failure: unknown) => {
    if (!(failure instanceof SlackCallError)) throw failure;
    emit("notice_lost", { operation: "chat.postEphemeral", failure });
  });
}

/** An attempt after the first appends no other event. */
const rejectedPress = ({ request_id: id, user_id, user_team, team_id }: PressRecord, press: AnswerPress) =>
  rejectedAct({
    id,
    action: "press.reject",
    user_id,
    team: user_team ?? team_id,
    target: { type: "message", id: press.id },
    correlation_id: press.id,
    details: { verb: press.verb },
  });
