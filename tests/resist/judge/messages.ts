import type { Control, DevSlack, Message } from "@crosszone/dev-slack";
import { shownText } from "@crosszone/dev-slack/client";
import { isTruncated } from "../plan/questions.ts";
import type { Asked } from "../people.ts";
import type { PlannedKind } from "../plan/messages.ts";

/** The outcome of a message. `answered`: one complete and correct answer. `refused`: only a notice of the refusal. */
type Verdict = "answered" | "refused" | "lost" | "doubled" | "truncated" | "wrong" | "stuck";

export interface Judged extends Asked {
  readonly verdict: Verdict;
  /** Answers to the message. */
  readonly answers: readonly Answer[];
}

/**
 * Judges the questions of one thread by the app's messages there. An answer belongs to the question that it is correct for. An answer that fits no
 * question counts against a question without an answer, or against the last one.
 */
function judgeThread(
  asked: readonly Asked[],
  said: readonly Message[],
  contentOf: (fileId: string) => string,
): Judged[] {
  const given = new Map<Asked, Answer[]>(asked.map((one) => [one, []]));
  const astray: Answer[] = [];
  for (const answer of answersIn(said)) {
    if (isAboutDecision(answer, asked)) continue;
    const file = answer.files[0]?.files?.[0];
    const content = { text: textOf(answer), file: file && contentOf(file.id) };
    const owner = asked.find(({ question }) => question.isRight(content));
    if (owner === undefined) astray.push(answer);
    else given.get(owner)?.push(answer);
  }
  for (const answer of astray) {
    const owner = asked.find((one) => given.get(one)?.length === 0) ?? asked.at(-1);
    if (owner !== undefined) given.get(owner)?.push(answer);
  }
  return asked.map((one) => {
    const answers = given.get(one) ?? [];
    const verdict = verdictOf(one, answers, astray);
    const isCut = verdict === "wrong" && answers.some((answer) => isTruncated(one.question, textOf(answer)));
    return { ...one, answers, verdict: isCut ? "truncated" : verdict };
  });
}

const asking: ReadonlySet<PlannedKind> = new Set(["asks", "left", "calls"]);

/** Returns whether an answer is to what people type below a card: see `typedFlaws`. */
const isSideways = (answer: Answer): boolean =>
  /^I can't answer that\.|already asked above\.$/.test(textOf(answer).trim()) && flawOf(answer) === undefined;

/** Returns whether an answer is about a decision: a card, a notice to who pressed a button, or what a task says that waits for people. */
function isAboutDecision(answer: Answer, asked: readonly Asked[]): boolean {
  if (!asked.some(({ planned: { kind } }) => asking.has(kind))) return false;
  if (isSideways(answer)) return true;
  if (answer.messages.every(({ ephemeral_for }) => ephemeral_for !== undefined)) return true;
  const isAsking = answer.requestId.startsWith("input:") || textOf(answer).includes("I need a decision before");
  return isAsking && flawOf(answer) === undefined;
}

function verdictOf({ planned, question }: Asked, answers: readonly Answer[], astray: readonly Answer[]): Verdict {
  const flaws = answers.map((answer) => flawOf(answer, question.ends));
  if (flaws.includes("stuck")) return "stuck";
  // It has at most one answer, which may be cut.
  if (planned.later?.does === "deletes")
    return flaws.includes("doubled") || answers.length > 1 ? "doubled" : "answered";
  if (answers.length === 0) return "lost";
  // The refusal has replaced the placeholder.
  if (answers.length === 1 && answers.every((answer) => isRefusal({ text: textOf(answer) }))) return "refused";
  if (flaws.includes("doubled")) return "doubled";
  if (answers.some((answer) => astray.includes(answer)) || flaws.includes("wrong")) return "wrong";
  return answers.length === 1 ? "answered" : "doubled";
}

/** Judges every written message by the present state of Slack. */
export function judgeMessages(
  { control, workspace }: Pick<DevSlack, "workspace"> & { readonly control: Pick<Control, "messages" | "file"> },
  asked: Iterable<Asked>,
): Judged[] {
  const threads = new Map<string, Asked[]>();
  const keyOf = ({ channel, thread_ts, ts }: Message): string => `${channel} ${thread_ts ?? ts}`;
  for (const one of asked) threads.getOrInsertComputed(keyOf(one.message), () => []).push(one);
  const said = new Map<string, Message[]>();
  const refusals: Message[] = [];
  const denials: Message[] = [];
  for (const { id } of workspace.channels)
    for (const message of control.messages({ channel: id })) {
      if (message.bot_id !== workspace.app.bot_id) continue;
      if (isRefusal(message) && message.ephemeral_for !== undefined) refusals.push(message);
      else if (isDenial(message)) denials.push(message);
      else said.getOrInsertComputed(keyOf(message), () => []).push(message);
    }
  const contentOf = (fileId: string): string => control.file(fileId).bytes.toString("utf8");
  const judged = [...threads].flatMap(([key, questions]) => judgeThread(questions, said.get(key) ?? [], contentOf));
  return judged.map((one): Judged => {
    if (one.verdict !== "lost") return one;
    if (isDenied(one, denials)) return { ...one, verdict: "answered" };
    return takeRefusal(refusals, one) ? { ...one, verdict: "refused" } : one;
  });
}

/** Returns whether the author of a denied question was told why. A crash may repeat the notice. */
const isDenied = ({ planned, message }: Asked, denials: readonly Message[]): boolean =>
  planned.kind === "denied" && denials.some(({ ephemeral_for }) => ephemeral_for === message.user);

/** Finds and removes the ephemeral notice of a refusal. */
function takeRefusal(refusals: Message[], { message }: Asked): boolean {
  const at = refusals.findIndex(
    ({ channel, ephemeral_for }) => channel === message.channel && ephemeral_for === message.user,
  );
  if (at >= 0) refusals.splice(at, 1);
  return at >= 0;
}

/** The app's answer to one request: its messages and files. */
export interface Answer {
  readonly requestId: string;
  readonly messages: readonly Message[];
  readonly files: readonly Message[];
}

/** Returns whether a message is the queued notice, which only the requester sees. It is not an answer. */
const isQueuedNotice = ({ ephemeral_for, text }: Message): boolean =>
  ephemeral_for !== undefined && text.startsWith("Your question is queued.");

/** Returns whether a message tells its requester, and only them, that an edit came too late. */
const isLateEdit = ({ ephemeral_for, text }: Message): boolean =>
  ephemeral_for !== undefined && text.startsWith("I was already working on your message");

/** Returns whether a message tells a guest, and only them, that the question was denied. */
const isDenial = ({ ephemeral_for, text }: Message): boolean =>
  ephemeral_for !== undefined && text.startsWith("I do not answer guests");

/** Returns whether a message says that a stop came after the answer. */
const isLateStop = ({ text }: Message): boolean => text === "Nothing is running here.";

/** Returns whether a message says that the question was refused, because its author or its place could not be looked up. */
export const isRefusal = ({ text }: Pick<Message, "text">): boolean =>
  text.startsWith("I could not check whether I may answer this");

/** Groups the app's messages of one thread by request. A message without metadata is an answer of its own. */
function answersIn(said: readonly Message[]): Answer[] {
  const notices = [isQueuedNotice, isLateStop, isLateEdit];
  const messages = said.filter((message) => !notices.some((is) => is(message)));
  const answers = new Map<string, { requestId: string; messages: Message[]; files: Message[] }>();
  const of = (requestId: string): { messages: Message[]; files: Message[] } =>
    answers.getOrInsertComputed(requestId, () => ({ requestId, messages: [], files: [] }));
  for (const message of messages.filter(({ files }) => !files?.length)) {
    const requestId = message.metadata?.event_payload["request_id"];
    of(typeof requestId === "string" ? requestId : `none, ${message.ts}`).messages.push(message);
  }
  for (const message of messages.filter(({ files }) => files?.length)) {
    const begin = /^answer-([\w-]+)\.md$/.exec(message.files?.[0]?.name ?? "")?.[1] ?? `none, ${message.ts}`;
    of([...answers.keys()].find((requestId) => requestId.startsWith(begin)) ?? begin).files.push(message);
  }
  return [...answers.values()];
}

/** Returns what is wrong with an answer, regardless of its text. */
function flawOf(
  { messages, files }: Answer,
  ends: readonly unknown[] = ["done"],
): "stuck" | "doubled" | "wrong" | undefined {
  const payloads = messages.map(({ metadata }) => metadata?.event_payload ?? {});
  if (payloads.some(({ state }) => state === "working")) return "stuck";
  if (messages.some(({ stream }) => stream?.state === "in_progress")) return "stuck";
  const parts = payloads.map(({ part }) => Number(part ?? 1));
  if (new Set(parts).size < parts.length || files.length > 1) return "doubled";
  const announced = new Set(payloads.map(({ parts: all }) => Number(all ?? 1)));
  const isWhole =
    announced.size === 1 && announced.has(parts.length) && payloads.every(({ state }) => ends.includes(state));
  return isWhole ? undefined : "wrong";
}

/** Returns the text of all messages, in the order of their parts. */
export function textOf({ messages }: Answer): string {
  const partOf = ({ metadata }: Message): number => Number(metadata?.event_payload["part"] ?? 1);
  return messages
    .toSorted((one, other) => partOf(one) - partOf(other))
    .map(shownText)
    .join("\n");
}

/**
 * Returns the app's messages that people find outside the threads of their questions, or in that of a question whose deletion the app had
 * seen. `seenAt` returns when it did, Unix milliseconds; what was under way then can arrive for `underWayMs` milliseconds.
 */
export function changeComplaintsOf(
  { control, workspace }: Pick<DevSlack, "workspace"> & { readonly control: Pick<Control, "messages"> },
  judged: readonly Judged[],
  { seenAt, underWayMs }: { readonly seenAt: (ts: string) => number | undefined; readonly underWayMs: number },
): string[] {
  const threads = new Set<string>(judged.map(({ message }) => `${message.channel} ${message.thread_ts ?? message.ts}`));
  const deleted = new Map<string, number>(
    judged.flatMap(({ planned, message }) =>
      planned.later?.does === "deletes" ? [[`${message.channel} ${message.ts}`, planned.number] as const] : [],
    ),
  );
  const own = workspace.channels.flatMap(({ id }) => control.messages({ channel: id })).filter(isForAll);
  return own.flatMap((said) => {
    const { channel, thread_ts, ts, text } = said;
    const thread = `${channel} ${thread_ts ?? ts}`;
    const about = `${ts} “${text.slice(0, 60)}”`;
    if (thread_ts === undefined || !threads.has(thread))
      return [`message ${about} is outside of its thread, in ${channel}`];
    const number = deleted.get(thread);
    const lateMs = Number(ts) * 1_000 - (seenAt(thread_ts) ?? Infinity);
    return number !== undefined && lateMs > underWayMs
      ? [`message ${about} was posted ${Math.round(lateMs)} ms after message ${number} was deleted`]
      : [];
  });

  /** Work that asks people writes to them directly. */
  function isForAll({ bot_id, ephemeral_for, metadata }: Message): boolean {
    const isCard = String(metadata?.event_payload["request_id"]).startsWith("input:");
    return bot_id === workspace.app.bot_id && ephemeral_for === undefined && !isCard;
  }
}
