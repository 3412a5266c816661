import type { InputRequest } from "@crosszone/contracts";
import type { LeasedRecord, ShownCard } from "../../inbox/records.ts";
import type { SlackThread } from "../../slack/slack-api.ts";
import { createMarkedMessages, type MarkedMessages, type Posting } from "../posting/marked-messages.ts";
import { isRefusedForGood } from "../posting/send-once.ts";
import type { Answering } from "../questions/attempt.ts";
import { type InputCard, inputCard, neutralCard } from "./input-card.ts";
import { decidersText, namedDeciders, timeText } from "./people-text.ts";
import { readGroups } from "./read-groups.ts";

/** One look at a request. */
interface InputLook {
  readonly leased: LeasedRecord<"input">;
  readonly request: InputRequest;
  readonly leave: AbortSignal;
}

/** People who are asked directly about one request; any others still decide on the run page. */
const mostPeople = 50;

/**
 * Brings the messages of a request up to date, and stores what they show. Each is posted once, however many processes do this. Rejects with the
 * `SlackCallError` of the message in the thread.
 */
export async function showInput(answering: Answering, look: InputLook): Promise<void> {
  const { leased, request } = look;
  const { version, reminders = 0 } = request;
  const shown = leased.progress.shown ?? { version: 0, reminders, cards: [] };
  if (shown.version === version && shown.reminders === reminders) return;
  const [inThread, ...direct] = shown.cards;
  const card = await showInThread(answering, look, inThread);
  const note = (of: number, seen: number): Promise<void> =>
    answering.inbox.note(leased, { shown: { version: of, reminders: seen, cards: [card, ...direct] } });
  for (const one of direct) await updateDirect(answering, look, one);
  for (const user_id of await unaskedPeople(answering, look, direct)) {
    const one = await askDirectly(answering, look, user_id);
    if (one !== undefined) direct.push(one);
    // A crash from then on asks nobody twice.
    await note(0, shown.reminders);
  }
  if (request.state === "open" && reminders > shown.reminders)
    for (const { channel, ts } of direct.length > 0 ? direct : [card])
      await remind(answering, look, direct.length > 0 ? { channel, thread_ts: ts } : leased.record);
  await note(version, reminders);
}

/** The content of a message, and what tells its mark from that of the card. */
type Content = Pick<InputCard, "text"> & Partial<InputCard> & { readonly suffix?: string };

function messagesIn({ workspace, clock }: Answering, { leave }: InputLook, thread: SlackThread): MarkedMessages {
  const { channel, thread_ts } = thread;
  return createMarkedMessages({ slack: workspace.slack, clock, thread: { channel, thread_ts }, leave });
}

function posting({ limits }: Answering, { leased }: InputLook, { suffix = "", ...content }: Content): Posting {
  const { request_id, correlation_id } = leased.record;
  const mark = { request_id: `${request_id}${suffix}`, correlation_id, state: "done" as const };
  const message = { ...content, mark };
  return { message, budgetMs: limits.DELIVERY_BUDGET_MS, doubtful: leased.attempt > 1 };
}

/** Returns true if those who can decide are asked directly: only the requester reads the thread of a direct message with the app. */
function isPrivate({ request, leased }: InputLook): boolean {
  const { visibility, decide, requester } = request;
  if (visibility === "private") return true;
  const others = [...decide.groups, ...namedDeciders(request).filter((id) => id !== requester)];
  return leased.record.channel.startsWith("D") && others.length > 0;
}

/** Posts or updates the message in the thread. One that was deleted is posted again. */
async function showInThread(answering: Answering, look: InputLook, card: ShownCard | undefined): Promise<ShownCard> {
  const { request, leased } = look;
  const messages = messagesIn(answering, look, leased.record);
  const one = posting(answering, look, isPrivate(look) ? neutralCard(request) : inputCard(request));
  const known = card?.ts ?? (await messages.post(one)).ts;
  // What an earlier attempt has posted may show an older version.
  const ts = card === undefined && !one.doubtful ? known : await messages.replace(known, one);
  return { channel: leased.record.channel, ts };
}

async function updateDirect(answering: Answering, look: InputLook, card: ShownCard): Promise<void> {
  const { message } = posting(answering, look, inputCard(look.request));
  await answering.workspace.slack.update(card, message).catch((error: unknown) => {
    if (!isRefusedForGood(error)) throw error;
  });
}

/** Returns the people who can decide a private request and were not asked yet. */
async function unaskedPeople(
  { workspace, emit }: Answering,
  look: InputLook,
  asked: readonly ShownCard[],
): Promise<readonly string[]> {
  const { request, leased } = look;
  if (!isPrivate(look) || request.state !== "open") return [];
  const { team_id, correlation_id } = leased.record;
  const onFailure = (failure: unknown): void =>
    emit("input_group_unread", { correlation_id, operation: "usergroups.users.list", failure });
  const members = await readGroups(request.decide.groups, { slack: workspace.slack, team_id, onFailure });
  const people = new Set([...namedDeciders(request), ...[...members.values()].flatMap((group) => [...group])]);
  for (const { user_id = "" } of asked) people.delete(user_id);
  // An API token can be named too.
  const unasked = [...people].filter((id) => /^[UW]/.test(id));
  return unasked.slice(0, Math.max(0, mostPeople - asked.length));
}

/** Asks a person in a direct message. Resolves with undefined if the app can't write to them. */
async function askDirectly(answering: Answering, look: InputLook, user_id: string): Promise<ShownCard | undefined> {
  const { slack } = answering.workspace;
  const { message } = posting(answering, look, inputCard(look.request));
  look.leave.throwIfAborted();
  try {
    const channel = await slack.openDirect(user_id);
    return { channel, user_id, ...(await slack.post({ channel }, message)) };
  } catch (failure) {
    if (!isRefusedForGood(failure)) throw failure;
    const { correlation_id, request } = look.leased.record;
    const { request_id: input_id } = request;
    answering.emit("input_not_shown", { correlation_id, input_id, operation: failure.method, failure, user_id });
    return undefined;
  }
}

/** Mentions those who can decide, once for each reminder. */
async function remind(answering: Answering, look: InputLook, thread: SlackThread): Promise<void> {
  const { request } = look;
  const text = `${decidersText(request)} This still needs a decision, until ${timeText(request.expires_at)}.`;
  await messagesIn(answering, look, thread).post(
    posting(answering, look, { text, suffix: `:reminder ${request.reminders}` }),
  );
}
