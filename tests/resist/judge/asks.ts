import type { InputRequest } from "@crosszone/contracts";
import type { Control, DevSlack, Message } from "@crosszone/dev-slack";
import { shownText } from "@crosszone/dev-slack/client";
import { add, type Counts } from "../counts.ts";
import { type Asked, corrected } from "../people.ts";
import { idOf } from "../plan/messages.ts";
import { askOf, type PlannedWords } from "../plan/questions.ts";
import { isRefusal, type Judged, textOf } from "./messages.ts";
import type { AgentRequests } from "./stores.ts";

/** A press of a button, and what became of it. */
export interface Click {
  readonly number: number;
  readonly user: string;
  readonly verb: "approve" | "deny";
  /** Unix milliseconds. */
  readonly at: number;
  /** `taken`: the app acknowledged it; `warned`: the person saw a warning sign; `missed`: the button was gone. */
  state: "pressed" | "taken" | "warned" | "missed" | "no modal" | "told in the modal";
}

/** What somebody typed below a card. */
export interface Typed extends PlannedWords {
  /** Number of the question. */
  readonly number: number;
  readonly message: Message;
}

interface AskEvidence {
  readonly slack: Pick<DevSlack, "workspace"> & { readonly control: Pick<Control, "messages"> };
  readonly judged: readonly Judged[];
  readonly clicks: readonly Click[];
  readonly typed: readonly Typed[];
  /** Returns when the app acknowledged that a message was edited, Unix milliseconds. */
  readonly editedAt: (ts: string) => number | undefined;
  /** All requests of execution. */
  readonly requests: readonly InputRequest[];
  readonly agents: AgentRequests;
}

/** Returns whether a message is the card of a request in a thread. */
export const isCard = ({ metadata, thread_ts }: Message): boolean =>
  thread_ts !== undefined && String(metadata?.event_payload["request_id"]).startsWith("input:");

/** Returns the id of a button on a card; undefined if it has none. */
export function buttonIn({ blocks = [] }: Message, verb: Click["verb"]): string | undefined {
  const rows = blocks as readonly { readonly elements?: readonly { readonly action_id?: string }[] }[];
  const elements = rows.flatMap(({ elements: row = [] }) => row);
  return elements.find(({ action_id = "" }) => action_id.startsWith(`input:${verb}:`))?.action_id;
}

/** Returns what a card or a request asks about; undefined if it does not say. */
export const wordsIn = (one: object): string | undefined => /pebble-\d+/.exec(JSON.stringify(one))?.[0];

/**
 * Judges every question that asks people: it has one request, in its latest words, decided by who can with a button, its action ran as often as it
 * was approved, and everybody who pressed a button or typed a decision was told what became of it.
 */
export function judgeAsks({ slack, judged, clicks, typed, editedAt, requests, agents }: AskEvidence) {
  // What was not answered is complained about already.
  const isAsked = ({ planned: { kind }, verdict }: Judged): boolean =>
    ((kind === "asks" || kind === "left") && verdict !== "refused") || (kind === "calls" && verdict === "answered");
  const asks = judged.filter(isAsked);
  const ends: Counts = new Map();
  const threads = Map.groupBy(
    slack.workspace.channels.flatMap(({ id }) => slack.control.messages({ channel: id })),
    ({ channel, thread_ts, ts }) => `${channel} ${thread_ts ?? ts}`,
  );
  const complaints = asks.flatMap((one) => {
    const { message, planned } = one;
    const thread = message.thread_ts ?? message.ts;
    const found = requests.filter(({ channel, thread_ts }) => channel === message.channel && thread_ts === thread);
    const [request] = found;
    const end = request?.state ?? "none";
    add(ends, end);
    const said = threads.get(`${message.channel} ${thread}`) ?? [];
    const mustBeNew = isEditedInTime(one, judged, editedAt);
    if (mustBeNew) add(ends, "in newer words");
    const own = clicks.filter(({ number }) => number === planned.number);
    const flaws =
      request === undefined
        ? ["never asked"]
        : [
            ...(found.length > 1 ? [`asked ${found.length} times`] : []),
            ...decisionFlaws(one, request, own),
            ...actFlaws(one, request, agents),
            ...saidFlaws(request, said, own),
            ...typedFlaws(
              typed.filter(({ number }) => number === planned.number),
              said,
            ),
            ...(mustBeNew && wordsIn(request) !== `pebble-${planned.number + corrected}`
              ? ["asked with old words"]
              : []),
          ];
    return flaws.map((flaw) => `message ${planned.number} (${end}): ${flaw}`);
  });
  return { ends, complaints };
}

/** An edit counts if the question before it in its thread, for which it had to wait, could not be answered yet when the app had the edit. */
function isEditedInTime(
  { planned, message }: Judged,
  judged: readonly Judged[],
  editedAt: AskEvidence["editedAt"],
): boolean {
  const before = judged.find(({ planned: { number } }) => number === planned.follows);
  if (before?.verdict !== "answered") return false;
  // It takes its time. Its answer may have been changed after it was done.
  const [, seconds = 0] = /^slow (\S+)/.exec(before.question.text) ?? [];
  const begins = Number(message.thread_ts) + Number(seconds);
  return (editedAt(message.ts) ?? Infinity) < begins * 1_000;
}

const hint = "To ask something else, write more than two words.";

/** Returns the number of what was typed that makes a task. */
export const asTasks = (typed: readonly Typed[]): number =>
  typed.filter(({ expects }) => expects === "answer" || expects === "asked").length;

/**
 * Returns what is wrong with the answers to what was typed below a card: each has its own, once, and strangers have none. A refusal, as nobody could
 * be looked up, replaces one.
 */
export function typedFlaws(typed: readonly Typed[], said: readonly Message[]): string[] {
  const own = said.filter(({ bot_id }) => bot_id !== undefined);
  const expecting = (expects: Typed["expects"]): number => typed.filter((one) => one.expects === expects).length;
  const answers = (is: (text: string) => boolean): number =>
    own.filter((message) => is(shownText(message).trim())).length;
  const hints = [...Map.groupBy(typed, ({ message }) => message.user)].map(([user, theirs]) => {
    const written = theirs.filter(({ expects }) => expects === "hint").length;
    const heard = own.filter(({ ephemeral_for, text }) => ephemeral_for === user && text.endsWith(hint)).length;
    // Nobody can find an ephemeral message again: it may come twice.
    return [`decisions of ${user}`, written, written === 0 ? heard : Math.min(written, heard)] as const;
  });
  const counted = [
    ...hints,
    ["sentences", expecting("answer"), answers((text) => text.startsWith("I can't answer that."))],
    ["equal calls", expecting("asked"), answers((text) => text.endsWith("already asked above."))],
  ] as const;
  const missing = counted.reduce((sum, [, written, answered]) => sum + Math.max(0, written - answered), 0);
  const isRefused = missing <= own.filter(isRefusal).length;
  return counted.flatMap(([what, written, answered]) =>
    answered > written || (answered < written && !isRefused) ? [`${what}: typed ${written}, answered ${answered}`] : [],
  );
}

/** Returns whether a decision was lost, or made by somebody else. */
function decisionFlaws({ planned }: Asked, request: InputRequest, clicks: readonly Click[]): string[] {
  const { votes, answer, decided_at = "" } = request;
  const state = decisionOf(request);
  const { rule, deciders, quorum } = askOf(planned.number, planned.kind === "left");
  if (state === "open") return ["lost, as nobody's decision counted"];
  if (rule === "none" && state === "expired") return [];
  if (state !== "approved" && state !== "denied") return ["lost, as it ended otherwise"];
  const able = new Set(deciders.map((person) => idOf("U", person)));
  const by = votes.filter(({ verdict }) => verdict === answer?.verdict).map(({ user_id }) => user_id);
  const pressed = (user: string): boolean =>
    clicks.some(
      (click) =>
        click.user === user &&
        click.verb === answer?.verdict &&
        click.state !== "missed" &&
        click.at <= Date.parse(decided_at),
    );
  return [
    ...votes.filter(({ user_id }) => !able.has(user_id)).map(({ user_id }) => `decided by another, ${user_id}`),
    ...by.filter((user) => !pressed(user)).map((user) => `decided by ${user}, who did not`),
    ...(new Set(by).size < (state === "approved" ? quorum : 1) ? [`decided by ${by.length} people`] : []),
  ];
}

/** Returns whether the action ran without a decision, more than once, or not at all, and whether its answer says so. */
function actFlaws(
  { planned: { number }, answers }: Judged,
  request: InputRequest,
  { byText }: AgentRequests,
): string[] {
  const { decided_at = "" } = request;
  const words = wordsIn(request) ?? "";
  const { keys, at } = byText.get(words) ?? { keys: new Set(), at: Infinity };
  const others = [number, number + corrected].map((one) => `pebble-${one}`).filter((one) => one !== words);
  const most = decisionOf(request) === "approved" ? 1 : 0;
  const says = (begin: string): boolean => answers.some((answer) => textOf(answer).includes(`${begin}${words}`));
  // Nobody knows whether a process that died while it called the tool has done so, and nobody calls it again.
  const isUnsure = most === 1 && says("Perhaps sent ");
  const isAnswered = isUnsure || says("(") || says("Sent ");
  return [
    ...(keys.size > most ? [`its action ran ${keys.size} times`] : []),
    ...(keys.size < most && !isUnsure ? ["its action did not run"] : []),
    ...(others.some((other) => byText.has(other)) ? ["its action ran with other words"] : []),
    ...(at < Date.parse(decided_at) ? ["its action ran before the decision"] : []),
    ...(isAnswered === (most === 1) ? [] : ["its answer says something else"]),
  ];
}

/** An approval that was used was one. */
const decisionOf = ({ state }: InputRequest): InputRequest["state"] => (state === "used" ? "approved" : state);

const receipts: Readonly<Partial<Record<InputRequest["state"], string>>> = {
  approved: "Approved:",
  denied: "Denied:",
  expired: "Expired:",
};
const told = { approve: "Approved.", deny: "Denied." } as const;

/** Returns whether the card is the receipt, and whether everybody who pressed was told the truth. */
function saidFlaws(request: InputRequest, said: readonly Message[], clicks: readonly Click[]) {
  const { votes, decided_at = "" } = request;
  const state = decisionOf(request);
  const cards = said.filter(isCard);
  const notices = said.filter(({ ephemeral_for, text }) => ephemeral_for !== undefined && !text.endsWith(hint));
  const isReceipt = (card: Message): boolean =>
    card.text.startsWith(receipts[state] ?? "?") && buttonIn(card, "approve") === undefined;
  const isVoter = (user: string | undefined, verdict?: Click["verb"]): boolean =>
    votes.some((vote) => vote.user_id === user && (verdict ?? vote.verdict) === vote.verdict);
  const mistold = notices.filter(({ text, ephemeral_for, ts }) => {
    const verdict = (["approve", "deny"] as const).find((verb) => text === told[verb]);
    if (verdict === undefined) return false;
    return !isVoter(ephemeral_for, verdict) || Number(ts) * 1_000 + 1 < Date.parse(decided_at);
  });
  const unanswered = [...Map.groupBy(clicks, ({ user }) => user)].filter(([user, own]) => {
    const heard = notices.filter(({ ephemeral_for }) => ephemeral_for === user).length;
    return !isVoter(user) && heard < own.filter((click) => click.state === "taken").length;
  });
  return [
    ...(cards.length === 1 ? [] : [`${cards.length} cards`]),
    ...(cards.every(isReceipt) ? [] : ["its card is not the receipt"]),
    ...mistold.map(({ ephemeral_for, text }) => `decided twice: ${ephemeral_for} read “${text}”`),
    ...unanswered.map(([user]) => `${user} pressed and was not answered`),
  ];
}
