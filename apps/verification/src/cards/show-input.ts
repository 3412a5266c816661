import { type InputRequest, ZoneError } from "@crosszone/contracts";
import { LinkError } from "@crosszone/jsonrpc";
import { ReleasedError, UnanswerableError } from "../inbox/record-ends.ts";
import type { LeasedRecord, ShownCard } from "../inbox/records.ts";
import type { SlackDirectory } from "../policy/slack-directory.ts";
import { tsBefore, type Workplace } from "../showing/attempt.ts";
import { literalText, mention } from "../showing/markdown/neutralise.ts";
import { createMarkedMessages, type MarkedMessages, type Posting } from "../showing/marked-messages.ts";
import { isRefusedForGood, type SearchedThread } from "../showing/send-once.ts";
import { type Names, namesIn, timeMrkdwn } from "../slack/notation.ts";
import type { SlackApi } from "../slack/slack-api.ts";
import { SlackCallError } from "../slack/slack-call-error.ts";
import type { WorkspaceContext } from "../workspaces/workspaces.ts";
import {
  type CardSetting,
  decidersMrkdwn,
  type InputCard,
  inputCard,
  isClosed,
  namedDeciders,
  neutralCard,
} from "./input-card.ts";

/** Reads the members of user groups now, by group. Never rejects: a group that Slack does not return is absent. */
export async function readGroups(
  groups: readonly string[],
  reading: { readonly slack: SlackApi; readonly team_id: string; readonly onFailure: (error: unknown) => void },
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { slack, team_id, onFailure } = reading;
  const members = new Map<string, ReadonlySet<string>>();
  const read = async (group: string): Promise<void> =>
    void members.set(group, new Set(await slack.groupMembers(group, team_id)));
  await Promise.all(groups.map((group) => read(group).catch(onFailure)));
  return members;
}

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
async function showInput(desk: Workplace, look: InputLook): Promise<void> {
  const { workspace, inbox } = desk;
  const { leased, request } = look;
  const { version, reminders = 0 } = request;
  const shown = leased.progress.shown ?? { version: 0, reminders, cards: [] };
  if (shown.version === version && shown.reminders === reminders) return;
  const inThread = shown.cards.filter(({ user_id }) => user_id === undefined);
  const direct = shown.cards.filter(({ user_id }) => user_id !== undefined);
  // Work that began outside Slack has no thread.
  const cards = request.origin === undefined ? [await showInThread(workspace, look, inThread[0])] : [];
  const note = (of: number, seen: number): Promise<void> =>
    inbox.note(leased, { shown: { version: of, reminders: seen, cards: [...cards, ...direct] } });
  const unasked = await unaskedPeople(workspace, look, direct);
  const link = direct.length + unasked.length > 0 ? await threadLink(workspace, look) : undefined;
  const place = { inThread: false, link };
  for (const one of direct) {
    const { message } = posting(workspace, look, inputCard(request, place));
    await workspace.slack.update(one, message).catch((error: unknown) => {
      if (!isRefusedForGood(error)) throw error;
    });
  }
  for (const user_id of unasked) {
    const one = await askDirectly(workspace, look, { user_id, place });
    if (one !== undefined) direct.push(one);
    // A crash from then on asks nobody twice.
    await note(0, shown.reminders);
  }
  if (request.state === "open" && reminders > shown.reminders)
    for (const { channel, ts } of direct.length > 0 ? direct : cards)
      await remind(workspace, look, direct.length > 0 ? { channel, thread_ts: ts } : leased.record);
  await note(version, reminders);
}

function messagesIn({ slack, clock }: WorkspaceContext, { leave }: InputLook, thread: SearchedThread): MarkedMessages {
  return createMarkedMessages({ slack, clock, thread, leave });
}

/** Returns a message to post; `suffix` tells its mark from that of the card. */
function posting(
  { limits }: WorkspaceContext,
  { leased }: InputLook,
  { suffix = "", ...content }: Partial<InputCard> & { readonly text: string; readonly suffix?: string },
): Posting {
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
async function showInThread(
  workspace: WorkspaceContext,
  look: InputLook,
  card: ShownCard | undefined,
): Promise<ShownCard> {
  const { request, leased } = look;
  const messages = messagesIn(workspace, look, leased.record);
  const people = [...namedDeciders(request), request.requester].filter((id) => id !== undefined);
  const names = await namesIn(people.map(mention), workspace.directory);
  const content = isPrivate(look)
    ? neutralCard(request, decidersNamed(request, names))
    : inputCard(request, { inThread: true, names });
  const one = posting(workspace, look, content);
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
async function threadLink({ slack }: WorkspaceContext, { request }: InputLook): Promise<string | undefined> {
  const { origin, channel = "D", thread_ts: ts = "" } = request;
  if (origin !== undefined || channel.startsWith("D")) return undefined;
  return slack.permalink({ channel, ts }).catch(() => undefined);
}

/** Returns the people who can decide a private request and were not asked yet. */
async function unaskedPeople(
  { slack, emit }: WorkspaceContext,
  look: InputLook,
  asked: readonly ShownCard[],
): Promise<readonly string[]> {
  const { request, leased } = look;
  if (!isPrivate(look) || request.state !== "open") return [];
  const { team_id, correlation_id } = leased.record;
  const onFailure = (failure: unknown): void =>
    emit("input_group_unread", { correlation_id, operation: "usergroups.users.list", failure });
  const members = await readGroups(request.decide.groups, { slack, team_id, onFailure });
  const people = new Set([...namedDeciders(request), ...[...members.values()].flatMap((group) => [...group])]);
  for (const { user_id = "" } of asked) people.delete(user_id);
  // An API token can be named too.
  const unasked = [...people].filter((id) => /^[UW]/.test(id));
  return unasked.slice(0, Math.max(0, mostPeople - asked.length));
}

/** Asks a person in a direct message. Resolves with undefined if the app can't write to them. */
async function askDirectly(
  workspace: WorkspaceContext,
  look: InputLook,
  { user_id, place }: { readonly user_id: string; readonly place: CardSetting },
): Promise<ShownCard | undefined> {
  const { request } = look;
  const after = tsBefore(Date.parse(request.created_at));
  try {
    const channel = await workspace.slack.openDirect(user_id);
    const messages = messagesIn(workspace, look, { channel, after });
    const { ts } = await messages.post(posting(workspace, look, inputCard(request, place)));
    return { channel, user_id, ts };
  } catch (failure) {
    if (!isRefusedForGood(failure)) throw failure;
    const { correlation_id } = look.leased.record;
    const { request_id: input_id } = request;
    workspace.emit("input_not_shown", { correlation_id, input_id, operation: failure.method, failure, user_id });
    return undefined;
  }
}

/** Mentions those who can decide, once for each reminder. */
async function remind(workspace: WorkspaceContext, look: InputLook, thread: SearchedThread): Promise<void> {
  const { request } = look;
  const text = `${decidersMrkdwn(request)} This still needs a decision, until ${timeMrkdwn(request.expires_at)}.`;
  const one = posting(workspace, look, { text, suffix: `:reminder ${request.reminders}` });
  await messagesIn(workspace, look, thread).post(one);
}

/** Pauses before the next look at a request that is open, and after Slack or execution did not answer, milliseconds. */
export const lookAgainMs = 60_000;
const troubleMs = 2_000;

/**
 * Shows an input request until it is closed: a card with buttons, which follows each change and becomes the receipt, and reminders. The request
 * lives in execution; a card that is late or was deleted changes nothing about it.
 */
export async function workOnInput(desk: Workplace, leased: LeasedRecord<"input">, lease: AbortSignal): Promise<void> {
  const { workspace, running } = desk;
  const leave = AbortSignal.any([lease, running.leaving]);
  leave.throwIfAborted();
  const { correlation_id, request } = leased.record;
  try {
    const current = await currentRequest(desk, leased, leave);
    await showInput(desk, { leased, request: current, leave });
    if (isClosed(current, workspace.clock.now())) return;
  } catch (failure) {
    leave.throwIfAborted();
    if (!isRefusedForGood(failure)) throw waitAfter(failure);
    const ids = { correlation_id, input_id: request.request_id };
    workspace.emit("input_not_shown", { ...ids, operation: failure.method, failure });
    throw new UnanswerableError("Slack refuses the card", { cause: failure });
  }
  throw new ReleasedError("the input request is open", lookAgainMs);
}

/** Returns how to wait after a failure of Slack or execution, which doesn't count as an attempt; other errors as they are. */
export function waitAfter(error: unknown): unknown {
  if (error instanceof SlackCallError)
    return new ReleasedError(error.message, Math.max(troubleMs, error.retryAfterMs ?? 0));
  const isZone = error instanceof LinkError || (error instanceof ZoneError && error.retryable);
  return isZone ? new ReleasedError(error.message, troubleMs) : error;
}

/** Returns the names of those who can decide a request, now or later, and of who asked; handles of groups. */
export const peopleNames = (
  { decide, requester, escalate = [] }: InputRequest,
  directory: SlackDirectory,
): Promise<Names> =>
  namesIn(
    [
      ...[...decide.people, ...escalate, requester ?? ""].map(mention),
      ...decide.groups.map((id) => `<!subteam^${id}>`),
    ],
    directory,
  );

/**
 * Returns the request as it is now; as withdrawn if execution does not have it any more. The first look gives execution the names of its
 * people, unless the claim has.
 */
async function currentRequest(
  { workspace, link }: Workplace,
  { record, progress }: LeasedRecord<"input">,
  signal: AbortSignal,
): Promise<InputRequest> {
  const { request, correlation_id: correlationId, team_id } = record;
  const { request_id, origin } = request;
  const call = { signal, correlationId };
  const names = async () => Object.fromEntries(await peopleNames(request, workspace.directory));
  const asking =
    progress.shown === undefined && origin === undefined
      ? link.call("claim_input_request", { request_id, team_id, names: await names() }, call)
      : link.call("get_input_request", { request_id }, call);
  return asking.catch((error: unknown): InputRequest => {
    if (!(error instanceof ZoneError) || error.kind !== "input_request_not_found") throw error;
    return { ...request, state: "withdrawn", version: request.version + 1 };
  });
}
