import type { InputRequest } from "@crosszone/contracts";
import type { LeasedRecord, ShownCard } from "../../inbox/records.ts";
import { type Names, namesIn } from "../../slack/names.ts";
import { createMarkedMessages, type MarkedMessages, type Posting } from "../posting/marked-messages.ts";
import { literalText } from "../markdown/neutralise.ts";
import { isRefusedForGood, type SearchedThread } from "../posting/send-once.ts";
import { type Answering, tsBefore } from "../questions/attempt.ts";
import { type InputCard, inputCard, neutralCard } from "./input-card.ts";
import { type CardSetting, decidersText, mention, namedDeciders, timeText } from "./people-text.ts";
import { readGroups } from "./read-groups.ts";

/** One look at a request. */
interface InputLook {
  readonly leased: LeasedRecord<"input">;
  readonly request: InputRequest;
  readonly leave: AbortSignal;
}

/** People who are asked directly about one request. */
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
  const inThread = shown.cards.filter(({ user_id }) => user_id === undefined);
  const direct = shown.cards.filter(({ user_id }) => user_id !== undefined);
  // Work that began outside Slack has no thread.
  const cards = request.origin === undefined ? [await showInThread(answering, look, inThread[0])] : [];
  const note = (of: number, seen: number): Promise<void> =>
    answering.inbox.note(leased, { shown: { version: of, reminders: seen, cards: [...cards, ...direct] } });
  const unasked = await unaskedPeople(answering, look, direct);
  const link = direct.length + unasked.length > 0 ? await threadLink(answering, look) : undefined;
  const place = { inThread: false, link };
  for (const one of direct) {
    const { message } = posting(answering, look, inputCard(request, place));
    await answering.workspace.slack.update(one, message).catch((error: unknown) => {
      if (!isRefusedForGood(error)) throw error;
    });
  }
  for (const user_id of unasked) {
    const one = await askDirectly(answering, look, { user_id, place });
    if (one !== undefined) direct.push(one);
    // A crash from then on asks nobody twice.
    await note(0, shown.reminders);
  }
  if (request.state === "open" && reminders > shown.reminders)
    for (const { channel, ts } of direct.length > 0 ? direct : cards)
      await remind(answering, look, direct.length > 0 ? { channel, thread_ts: ts } : leased.record);
  await note(version, reminders);
}

/** The content of a message, and what tells its mark from that of the card. */
type Content = Pick<InputCard, "text"> & Partial<InputCard> & { readonly suffix?: string };

function messagesIn({ workspace, clock }: Answering, { leave }: InputLook, thread: SearchedThread): MarkedMessages {
  return createMarkedMessages({ slack: workspace.slack, clock, thread, leave });
}

function posting({ limits }: Answering, { leased }: InputLook, { suffix = "", ...content }: Content): Posting {
  const { request_id, correlation_id } = leased.record;
  const mark = { request_id: `${request_id}${suffix}`, correlation_id, state: "done" as const };
  const message = { ...content, mark };
  return { message, budgetMs: limits.DELIVERY_BUDGET_MS, doubtful: leased.attempt > 1 };
}

/** Returns true if those who can decide are asked directly: there is no thread, or only the requester reads it. */
function isPrivate({ request, leased }: InputLook): boolean {
  const { visibility, decide, requester, origin } = request;
  if (visibility === "private" || origin !== undefined) return true;
  const others = [...decide.groups, ...namedDeciders(request).filter((id) => id !== requester)];
  return leased.record.channel.startsWith("D") && others.length > 0;
}

/** Posts or updates the message in the thread. One that was deleted is posted again. */
async function showInThread(answering: Answering, look: InputLook, card: ShownCard | undefined): Promise<ShownCard> {
  const { request, leased } = look;
  const messages = messagesIn(answering, look, leased.record);
  const people = [...namedDeciders(request), ...(request.requester === undefined ? [] : [request.requester])];
  const names = await namesIn(people.map(mention), answering.workspace.directory);
  const content = isPrivate(look)
    ? neutralCard(request, decidersNamed(request, names))
    : inputCard(request, { inThread: true, names });
  const one = posting(answering, look, content);
  const known = card?.ts ?? (await messages.post(one)).ts;
  // What an earlier attempt has posted may show an older version.
  const ts = card === undefined && !one.doubtful ? known : await messages.replace(known, one);
  return { channel: leased.record.channel, ts };
}

/** Returns who can decide by name, because a mention in the thread would notify them twice. */
function decidersNamed(request: InputRequest, names: Names): string {
  const people = namedDeciders(request).map((id) => literalText(names.get(id) ?? id));
  const groups = request.decide.groups.map((id) => `members of the user group ${literalText(id)}`);
  return [...people, ...groups].join(" or ");
}

/** Returns the URL of the question's thread; undefined for a direct message, which other people can't open, or if Slack returns none. */
async function threadLink({ workspace: { slack } }: Answering, { request }: InputLook): Promise<string | undefined> {
  const { origin, channel = "D", thread_ts: ts = "" } = request;
  if (origin !== undefined || channel.startsWith("D")) return undefined;
  return slack.permalink({ channel, ts }).catch(() => undefined);
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
async function askDirectly(
  answering: Answering,
  look: InputLook,
  { user_id, place }: { readonly user_id: string; readonly place: CardSetting },
): Promise<ShownCard | undefined> {
  const { request } = look;
  const after = tsBefore(Date.parse(request.created_at));
  try {
    const channel = await answering.workspace.slack.openDirect(user_id);
    const { ts } = await messagesIn(answering, look, { channel, after }).post(
      posting(answering, look, inputCard(request, place)),
    );
    return { channel, user_id, ts };
  } catch (failure) {
    if (!isRefusedForGood(failure)) throw failure;
    const { correlation_id } = look.leased.record;
    const { request_id: input_id } = request;
    answering.emit("input_not_shown", { correlation_id, input_id, operation: failure.method, failure, user_id });
    return undefined;
  }
}

/** Mentions those who can decide, once for each reminder. */
async function remind(answering: Answering, look: InputLook, thread: SearchedThread): Promise<void> {
  const { request } = look;
  const text = `${decidersText(request)} This still needs a decision, until ${timeText(request.expires_at)}.`;
  await messagesIn(answering, look, thread).post(
    posting(answering, look, { text, suffix: `:reminder ${request.reminders}` }),
  );
}
