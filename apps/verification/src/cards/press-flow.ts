import { randomUUID } from "node:crypto";
import type { RecordAct } from "@crosszone/audit";
import {
  type InputAnswer,
  type InputOutcome,
  type InputRequest,
  type InputVoter,
  ZoneError,
} from "@crosszone/contracts";
import { LinkError } from "@crosszone/jsonrpc";
import { createTokenBuckets, type Emit, emitWith } from "@crosszone/service-kit";
import { atMost, type Clock, retry } from "@crosszone/service-kit/timing";
import type { VerificationEvent } from "@crosszone/telemetry";
import type { AnswerPress, InputPress, LeasedRecord, PressRecord } from "../inbox/records.ts";
import type { RatingStore } from "../inbox/rating-store.ts";
import { denialSentence } from "../policy/denials.ts";
import { rejectedAct } from "../policy/policies.ts";
import { tellPerson, type Workplace } from "../showing/workplace.ts";
import { errorSentence } from "../showing/error-sentences.ts";
import { literalText, mention, oneLine } from "../showing/markdown/neutralise.ts";
import { isRefusedForGood, slackRetryAfter } from "../showing/send-once.ts";
import { timeMrkdwn } from "../slack/notation.ts";
import type { ResponseUrls } from "../slack/response-urls.ts";
import type { SlackApi, SlackAsker } from "../slack/slack-api.ts";
import { SlackCallError } from "../slack/slack-call-error.ts";
import { approvalsMissing, decidersMrkdwn, endingText, namedDeciders, outcomeText } from "./input-card.ts";
import { type Acted, type PressWork, rejected, showHomeAgain } from "./press-acts.ts";
import { pressOf } from "./presses.ts";
import { readGroups } from "./show-input.ts";

/** Where the presses of one workspace are worked on. */
export interface PressDesk extends Workplace {
  readonly pressers: Pressers;
  readonly ratings: RatingStore;
  readonly recordAct: RecordAct;
}

const effective: ReadonlySet<InputOutcome> = new Set(["decided", "counted", "already_voted"]);

type Sentence = (request: InputRequest, answer: InputAnswer, isGroupUnread: boolean) => string;

const sentences: Readonly<Record<InputOutcome, Sentence>> = {
  decided: (request, { verdict }) => (verdict === "answer" ? "Your answer was sent." : `${endingText(request)}.`),
  counted: (request) => {
    const missing = approvalsMissing(request);
    return `Your vote counts. ${missing} more ${missing === 1 ? "approval is" : "approvals are"} needed.`;
  },
  already_decided: (request) => `This was decided before: ${outcomeText(request)}.`,
  already_voted: () => "You have answered before, and that counts.",
  not_eligible: (request, _answer, isGroupUnread) =>
    isGroupUnread
      ? "I could not read who is in the user group that decides this. Please try again in a minute."
      : `This is not yours to decide. Ask ${decidersMrkdwn(request).replaceAll(/<!subteam\^(\w+)>/g, "the user group $1")}.`,
  expired: ({ expires_at }) => `This expired, ${timeMrkdwn(expires_at)}, before your answer. Nothing was done.`,
  withdrawn: ({ closed_because }) =>
    `This was withdrawn${closed_because === undefined ? "" : ` (${literalText(oneLine(closed_because, 255))})`}. There is nothing to decide any more.`,
  changed: () => "What this asks for is not what you saw. Look at the message again before you decide.",
};

/** Returns what becomes of a press that failed. */
function failed(error: unknown, { correlation_id, user_id }: PressRecord): Acted {
  const end = { isRejected: true, outcome: "failed" };
  const problems = error instanceof ZoneError && error.kind === "invalid_params" ? error.data.problems : undefined;
  if (problems === undefined) return { text: errorSentence(error, correlation_id), ...end };
  const [first] = problems;
  const why = first === undefined ? "" : ` It ${literalText(oneLine(first.message, 150))}.`;
  return { text: `${mention(user_id)}, this answer does not fit what is asked.${why}`, problems, ...end };
}

/** How long a stored answer is retried before its person reads that it failed, milliseconds. */
const longestRetryMs = 60_000;

/**
 * Passes an answer to an input request on, with the groups that its person is in now. Passing it on again changes nothing. Rejects with the
 * `ZoneError` or `LinkError` that it ended with.
 */
async function sendDecision(
  { workspace, link, leased: { record }, signal }: PressWork,
  { id, answer, digest }: InputPress,
  emit: Emit<VerificationEvent>,
): Promise<Acted> {
  const { user_id, user_team, team_id, correlation_id: correlationId } = record;
  const call = { signal, correlationId };
  const retries = { signal, mostMs: longestRetryMs };
  const request = await link.retry(() => link.call("get_input_request", { request_id: id }, call), retries);
  const named = new Set(namedDeciders(request));
  const person = { user_id, team_id: user_team };
  const earlier = request.votes.filter((vote) => vote.user_id !== user_id);
  const isByGroup = request.state === "open" && [person, ...earlier].some((one) => !named.has(one.user_id));
  const groups = isByGroup ? request.decide.groups : [];
  const onFailure = (failure: unknown): void =>
    emit("input_group_unread", { operation: "usergroups.users.list", failure });
  const members = await readGroups(groups, { slack: workspace.slack, team_id, onFailure });
  const inGroups = (one: InputRequest["votes"][number] | typeof person): InputVoter => ({
    user_id: one.user_id,
    team_id: one.team_id,
    groups: [...members].flatMap(([group, users]) => (users.has(one.user_id) ? [group] : [])),
  });
  const params = { request_id: id, answer, by: inGroups(person), voters: earlier.map(inGroups), digest };
  const { outcome, input_request } = await link.retry(() => link.call("answer_input", params, call), retries);
  const isSelf = outcome === "already_decided" && input_request.votes.at(-1)?.user_id === user_id;
  const text = isSelf
    ? `${endingText(input_request)} already, by you.`
    : sentences[outcome](input_request, answer, members.size < groups.length);
  // The tab has several requests, and does not show this one any more.
  const about = record.on_home === true ? `*${literalText(oneLine(request.title, 150))}*: ` : "";
  return { text: about + text, isRejected: !effective.has(outcome), outcome };
}

/**
 * Does what was pressed under an answer, if the policy allows its person to ask. Rejects with the `ZoneError`, `LinkError` or `SlackCallError`
 * that it ended with.
 */
async function actBelow(work: PressWork, press: AnswerPress, recordAct: RecordAct): Promise<Acted> {
  const { workspace } = work;
  const row = pressOf(press.verb);
  if (row?.of !== "answer") throw new Error(`no press under an answer is called ${press.verb}`);
  const leased = row.isAnywhere === true ? await whereSeen(work) : work.leased;
  const { record } = leased;
  const { denial } = await workspace.policies.onRetry(record);
  // A reaction asks for no answer.
  const silent = press.verb === "reaction" ? "" : "You can't use this here.";
  const done =
    denial === undefined
      ? await row.act({ ...work, leased }, press)
      : rejected(denialSentence(denial, record.correlation_id) ?? silent);
  if (done.outcome !== "rejected") return done;
  const { request_id, user_id, user_team, team_id } = record;
  const { id, verb } = press;
  const [target, details] = [{ type: "message", id } as const, { verb }];
  const act = { action: "press.reject", user_id, team: user_team ?? team_id, target, correlation_id: id, details };
  // An attempt after the first appends no other event.
  await recordAct(rejectedAct({ id: request_id, ...act }));
  return done;
}

/** Resolves with a press in a conversation that the app sees: its own, or the person's direct messages. */
async function whereSeen({ workspace: { slack, directory }, leased }: PressWork): Promise<LeasedRecord<"press">> {
  const { record } = leased;
  if ((await directory.channel(record.channel)) !== undefined) return leased;
  const direct = { channel: await slack.openDirect(record.user_id), thread_ts: "", in_thread: false };
  return { ...leased, record: { ...record, ...direct } };
}

/** A person may read the same sentence twice, but must read it. */
const tellRetry = { firstMs: 500, longestMs: 5_000, budgetMs: 30_000, retryAfter: slackRetryAfter };

/**
 * Works on a stored press: does what was pressed, and tells only its person what became of it. Doing it again changes nothing.
 */
export async function workOnPress(desk: PressDesk, leased: LeasedRecord<"press">, signal: AbortSignal): Promise<void> {
  const { workspace, pressers, recordAct } = desk;
  const { slack, clock } = workspace;
  signal.throwIfAborted();
  const { record } = leased;
  const { correlation_id, request_id, traceparent, user_id, channel, press } = record;
  const emit = emitWith(workspace.emit, { correlation_id, request_id, traceparent, user_id, channel });
  const work: PressWork = { ...desk, leased, signal };
  const acting = press.of === "input" ? sendDecision(work, press, emit) : actBelow(work, press, recordAct);
  let failure: unknown;
  const done = await acting.catch((error: unknown): Acted => {
    signal.throwIfAborted();
    if (!(error instanceof ZoneError) && !(error instanceof LinkError) && !isRefusedForGood(error)) throw error;
    failure = error;
    return failed(error, record);
  });
  const { outcome } = done;
  const row = press.of === "answer" ? pressOf(press.verb) : undefined;
  if (press.of === "input") emit("input_pressed", { input_id: press.id, outcome, failure });
  else {
    emit("answer_pressed", { reference: press.id, verb: press.verb, outcome, failure });
    if (row?.of === "answer") await row.over?.(work, press);
  }
  const { isSaid, url } = pressers.taken(record, done);
  if (!isSaid) return;
  if (record.on_home === true) return void (await showHomeAgain(work, { note: done.text }));
  const tell = (): Promise<void> => pressers.tell(slack, record, { url, text: done.text });
  await retry(tell, { ...tellRetry, clock, signal }).catch((error: unknown) => {
    if (!(error instanceof SlackCallError)) throw error;
    emit("notice_lost", { operation: "chat.postEphemeral", failure: error });
  });
}

/** Presses that can be answered at their URL. Older ones are answered by the Web API. */
const mostPresses = 1_000;

/** Messages of shortcuts that are kept for a person in a minute. Each can be large. */
const keptPerMinute = 10;

/**
 * Answers presses. A press is stored without its `response_url`, so another process, or this one after a restart, answers with an ephemeral
 * message in the place of the press.
 */
export class Pressers {
  readonly #responseUrls: ResponseUrls;
  readonly #clock: Clock;
  readonly #pressed = new Map<string, { readonly url: string | undefined; take?: (done: Acted) => void }>();
  readonly #kept = createTokenBuckets({ perMinute: keptPerMinute });

  constructor(responseUrls: ResponseUrls, clock: Clock) {
    this.#responseUrls = responseUrls;
    this.#clock = clock;
  }

  /** Returns true if the message of a person's shortcut may be kept. */
  mayKeep({ team_id, user_id }: { readonly team_id: string; readonly user_id: string }): boolean {
    return this.#kept.take(`${team_id} ${user_id}`) === 0;
  }

  /** Keeps where to answer a press, before it is stored. Returns a wait of at most `ms` milliseconds for what becomes of it, if `isAwaited`. */
  pressed(
    requestId: string,
    { url, isAwaited }: { readonly url: string | undefined; readonly isAwaited: boolean },
  ): (ms: number) => Promise<Acted | undefined> {
    const [oldest = ""] = this.#pressed.keys();
    if (this.#pressed.size >= mostPresses) this.#pressed.delete(oldest);
    const { promise, resolve } = Promise.withResolvers<Acted | undefined>();
    const press = { url, take: isAwaited ? resolve : undefined };
    this.#pressed.set(requestId, press);
    return async (ms) => {
      await atMost(ms, promise, this.#clock);
      press.take = undefined;
      resolve(undefined);
      return promise;
    };
  }

  /** Gives what became of a press to the modal that waits for it. Returns whether its person must be told, and the URL of the press, if it is known. */
  taken({ request_id }: PressRecord, done: Acted): { readonly isSaid: boolean; readonly url: string | undefined } {
    const press = this.#pressed.get(request_id);
    this.#pressed.delete(request_id);
    press?.take?.(done);
    return { isSaid: done.text !== "" && (press?.take === undefined || !done.isRejected), url: press?.url };
  }

  /** Tells only a person something: at the URL of a press, else in its place, else in a direct message. Rejects with the `SlackCallError`. */
  async tell(
    slack: SlackApi,
    place: SlackAsker,
    { url, text }: { readonly url: string | undefined; readonly text: string },
  ): Promise<void> {
    const thread_ts = place.in_thread ? place.thread_ts : undefined;
    try {
      if (url !== undefined) return await this.#responseUrls.answer(url, text, { thread_ts });
    } catch {
      // The URL may have expired: Slack accepts the message in another way.
    }
    const id = randomUUID();
    await tellPerson(slack, place, { text, ids: { request_id: id, correlation_id: id } });
  }
}
