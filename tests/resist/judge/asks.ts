import type { InputRequest } from "@crosszone/contracts";
import type { Control, DevSlack, Message } from "@crosszone/dev-slack";
import { askOf } from "../plan/questions.ts";
import { idOf } from "../plan/messages.ts";
import type { Asked } from "../people.ts";
import { type Judged, textOf } from "./messages.ts";
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

interface AskEvidence {
  readonly slack: Pick<DevSlack, "workspace"> & { readonly control: Pick<Control, "messages"> };
  readonly judged: readonly Judged[];
  readonly clicks: readonly Click[];
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

/**
 * Judges every question that asks people: it has one request, decided by who can, its action ran as often as it was approved, and everybody who
 * pressed a button was told what became of it.
 */
export function judgeAsks({ slack, judged, clicks, requests, agents }: AskEvidence) {
  const isAsked = ({ planned: { kind }, verdict }: Judged): boolean =>
    (kind === "asks" || kind === "left") && verdict !== "refused";
  const asks = judged.filter(isAsked);
  const ends = new Map<InputRequest["state"] | "none", number>();
  const threads = Map.groupBy(
    slack.workspace.channels.flatMap(({ id }) => slack.control.messages({ channel: id })),
    ({ channel, thread_ts, ts }) => `${channel} ${thread_ts ?? ts}`,
  );
  const complaints = asks.flatMap((one) => {
    const { message, planned } = one;
    const found = requests.filter(({ channel, thread_ts }) => channel === message.channel && thread_ts === message.ts);
    const [request] = found;
    const end = request?.state ?? "none";
    ends.set(end, (ends.get(end) ?? 0) + 1);
    const said = threads.get(`${message.channel} ${message.ts}`) ?? [];
    const own = clicks.filter(({ number }) => number === planned.number);
    const flaws =
      request === undefined || found.length > 1
        ? [`asked ${found.length} times`]
        : [...decisionFlaws(one, request, own), ...actFlaws(one, request, agents), ...saidFlaws(request, said, own)];
    return flaws.map((flaw) => `message ${planned.number} (${end}): ${flaw}`);
  });
  return { ends, complaints };
}

/** Returns whether a decision was lost, or made by somebody else. */
function decisionFlaws({ planned }: Asked, { state, votes, answer }: InputRequest, clicks: readonly Click[]): string[] {
  const { rule, deciders, quorum } = askOf(planned.number, planned.kind === "left");
  if (state === "open") return ["lost, as nobody's decision counted"];
  if (rule === "none" && state === "expired") return [];
  if (state !== "approved" && state !== "denied") return ["lost, as it ended otherwise"];
  const able = new Set(deciders.map((person) => idOf("U", person)));
  const by = votes.filter(({ verdict }) => verdict === answer?.verdict).map(({ user_id }) => user_id);
  const pressed = (user: string): boolean =>
    clicks.some((click) => click.user === user && click.verb === answer?.verdict && click.state !== "missed");
  return [
    ...votes.filter(({ user_id }) => !able.has(user_id)).map(({ user_id }) => `decided by another, ${user_id}`),
    ...by.filter((user) => !pressed(user)).map((user) => `decided by ${user}, who did not`),
    ...(new Set(by).size < (state === "approved" ? quorum : 1) ? [`decided by ${by.length} people`] : []),
  ];
}

/** Returns whether the action ran without a decision, more than once, or not at all, and whether its answer says so. */
function actFlaws(
  { planned, question, answers }: Judged,
  { state, decided_at = "" }: InputRequest,
  { byText }: AgentRequests,
): string[] {
  const { keys, at } = byText.get(`pebble-${planned.number}`) ?? { keys: new Set(), at: Infinity };
  const most = state === "approved" ? 1 : 0;
  const isAnswered = answers.some((answer) => textOf(answer).includes(question.whole ?? ""));
  return [
    ...(keys.size > most ? [`its action ran ${keys.size} times`] : []),
    ...(keys.size < most ? ["its action did not run"] : []),
    ...(at < Date.parse(decided_at) ? ["its action ran before the decision"] : []),
    ...(isAnswered === (state === "approved") ? [] : ["its answer says something else"]),
  ];
}

const receipts: Readonly<Partial<Record<InputRequest["state"], string>>> = {
  approved: "Approved:",
  denied: "Denied:",
  expired: "Expired:",
};
const told = { approve: "Approved.", deny: "Denied." } as const;

/** Returns whether the card is the receipt, and whether everybody who pressed was told the truth. */
function saidFlaws(
  { state, votes, decided_at = "" }: InputRequest,
  said: readonly Message[],
  clicks: readonly Click[],
) {
  const cards = said.filter(isCard);
  const notices = said.filter(({ ephemeral_for }) => ephemeral_for !== undefined);
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
