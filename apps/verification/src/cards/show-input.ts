import { type InputRequest, ZoneError } from "@crosszone/contracts";
import { LinkError } from "@crosszone/jsonrpc";
import { ReleasedError, UnanswerableError } from "../inbox/record-ends.ts";
import type { LeasedRecord, ShownCard, ShownInput } from "../inbox/records.ts";
import type { SlackDirectory } from "../policy/slack-directory.ts";
import { tellDirectly, tellOperators, type Workplace } from "../showing/workplace.ts";
import { tsBefore, createMarkedMessages, type MarkedMessages, type Posting } from "../showing/marked-messages.ts";
import { channelMention, literalText, mention } from "../showing/markdown/neutralise.ts";
import { concernOf, isRefusedForGood, placeReason, type SearchedThread } from "../showing/send-once.ts";
import { type Names, namesIn, timeMrkdwn } from "../slack/notation.ts";
import type { SlackApi } from "../slack/slack-api.ts";
import { SlackCallError } from "../slack/slack-call-error.ts";
import type { WorkspaceContext } from "../workspaces/workspaces.ts";
import {
  type CardSetting,
  decidersMrkdwn,
  decidersNamed,
  type InputCard,
  inputCard,
  isAskedDirectly,
  isClosed,
  namedDeciders,
  neededBy,
  neutralCard,
  peopleNamed,
  userOfName,
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
  readonly workspace: WorkspaceContext;
  readonly leased: LeasedRecord<"input">;
  readonly request: InputRequest;
  readonly leave: AbortSignal;
  /** True if Slack refuses the message in the thread. */
  readonly hasNoThread: boolean;
}

/** People who are asked directly about one request. */
const mostPeople = 50;

/**
 * Brings the messages of a request up to date, stores what they show, and resolves with it. Each is posted once, however many processes do this.
 * Where Slack refuses the message in the thread, those who can decide are asked directly, and the requester reads why.
 */
async function showInput(desk: Workplace, given: InputLook): Promise<ShownInput> {
  const { leased, request, workspace } = given;
  const { version, reminders = 0 } = request;
  const shown: ShownInput = leased.progress.shown ?? { version: 0, reminders, cards: [] };
  if (shown.version === version && shown.reminders === reminders) return shown;
  let [card] = shown.cards.filter(({ user_id }) => user_id === undefined);
  let direct = shown.cards.filter(({ user_id }) => user_id !== undefined);
  const unreachable = new Set(shown.unreachable);
  let look = given;
  const showThread = async (): Promise<void> => {
    // Work that began outside Slack has no thread.
    if (request.origin !== undefined || look.hasNoThread) return;
    const refused = (failure: unknown): Promise<undefined> => tellOfThread(desk, look, failure);
    card = await showInThread(look, { card, unreachable }).catch(refused);
    look = { ...look, hasNoThread: card === undefined };
  };
  await showThread();
  const { people, isGroupUnread } = await unaskedPeople(look, [...direct.map(idOf), ...unreachable]);
  const stateOf = (of: number, seen: number): ShownInput => ({
    version: of,
    reminders: seen,
    cards: [...(card ? [card] : []), ...direct],
    unreachable: [...unreachable],
    isGroupUnread,
    hasNoThread: look.hasNoThread,
    isOpen: request.state === "open",
  });
  const link = direct.length + people.length > 0 ? await threadLink(look) : undefined;
  const place = { inThread: false, link };
  for (const one of direct) {
    const { message } = posting(look, inputCard(request, place));
    await workspace.slack.update(one, message).catch(unlessRefused);
  }
  for (const user_id of people) {
    const one = await askDirectly(look, { user_id, place });
    if (one === undefined) unreachable.add(user_id);
    else direct = [...direct, one];
    // A crash from then on asks nobody twice.
    await desk.inbox.note(leased, { shown: stateOf(0, shown.reminders) });
  }
  if (request.state === "open" && reminders > shown.reminders) {
    const threads = direct.map((one) => ({ channel: one.channel, thread_ts: one.ts, user_id: idOf(one) }));
    const asked = direct.length > 0 ? threads : card && [{ ...leased.record, user_id: undefined }];
    for (const { user_id, ...thread } of asked ?? [])
      if (!(await remind(look, thread)) && user_id !== undefined) unreachable.add(user_id);
    direct = direct.filter((one) => !unreachable.has(idOf(one)));
  }
  if (unreachable.size > (shown.unreachable?.length ?? 0)) await showThread();
  const state = stateOf(version, reminders);
  await desk.inbox.note(leased, { shown: state });
  return state;
}

const idOf = ({ user_id = "" }: ShownCard): string => user_id;

/** Leaves out what Slack refuses for good. Throws other errors. */
function unlessRefused(error: unknown): void {
  if (!isRefusedForGood(error)) throw error;
}

/** Reports that Slack refuses a message about a request. Throws other errors. */
function reportRefused({ workspace, leased, request }: InputLook, failure: unknown, user_id?: string): void {
  if (!isRefusedForGood(failure)) throw failure;
  const ids = { correlation_id: leased.record.correlation_id, input_id: request.request_id, user_id };
  workspace.emit("input_not_shown", { ...ids, operation: failure.method, failure });
}

/**
 * Returns true if a request can't be decided because the app can't write to those who could: where they are asked in direct messages only, too few
 * are left.
 */
function isStuck(look: InputLook, { cards, unreachable = [], isGroupUnread }: ShownInput): boolean {
  const { kind, decide, state, escalate = [], reminders = 0, remind_at } = look.request;
  if (state !== "open" || unreachable.length === 0 || isGroupUnread === true || !isPrivate(look)) return false;
  const asked = cards.filter(({ user_id }) => user_id !== undefined).length;
  const askedLater = reminders === 0 && remind_at !== undefined ? escalate.length : 0;
  return asked + askedLater < (kind === "approve" ? decide.approve : 1);
}

/** Tells the operators and execution that nobody who can decide can be reached. Execution denies the request. Resolves with false if it stays open. */
async function isDenied(
  { workspace, inbox, link, operatorChannel }: Workplace,
  { leased: { record }, request, leave: signal }: InputLook,
  { unreachable = [] }: ShownInput,
): Promise<boolean> {
  const { team_id, correlation_id } = record;
  const { request_id, title, requester } = request;
  const who = unreachable.map(mention).join(", ");
  const asks = requester === undefined ? "" : ` of ${mention(requester)}`;
  const text = `I can’t write to ${who}, and nobody else can decide the request *${literalText(title)}*${asks}. It is denied.`;
  await tellOperators({ workspace, inbox, operatorChannel }, text, `unreachable ${request_id}`);
  const params = { request_id, team_id, unreachable: unreachable.slice(0, 100) };
  const told = await link.call("claim_input_request", params, { signal, correlationId: correlation_id });
  if (told.state !== "open") workspace.emit("input_unreachable", { correlation_id, input_id: request_id });
  return told.state !== "open";
}

/**
 * Tells the requester in a direct message that Slack refuses the message in the thread. Rejects with an `UnanswerableError` if the thread is gone,
 * and with any other error.
 */
async function tellOfThread(desk: Workplace, look: InputLook, failure: unknown): Promise<undefined> {
  reportRefused(look, failure);
  const { request, leased } = look;
  const { record } = leased;
  if (concernOf(failure) === "thread") throw new UnanswerableError("the thread is gone", { cause: failure });
  const why = `I can’t write in ${channelMention(record.channel)}, because ${placeReason(failure)}.`;
  const waits = `Your question there waits for ${decidersMrkdwn(request)}, until ${timeMrkdwn(request.expires_at)}.`;
  await tellDirectly(desk, record, `${why} ${waits}`).catch(unlessRefused);
}

const messagesIn = ({ workspace: { slack, clock }, leave }: InputLook, thread: SearchedThread): MarkedMessages =>
  createMarkedMessages({ slack, clock, thread, leave });

/** Returns a message to post; `suffix` tells its mark from that of the card. */
function posting(
  { workspace: { limits }, leased }: InputLook,
  { suffix = "", ...content }: Partial<InputCard> & { readonly text: string; readonly suffix?: string },
): Posting {
  const { request_id, correlation_id } = leased.record;
  const mark = { request_id: `${request_id}${suffix}`, correlation_id, state: "done" as const };
  const message = { ...content, mark };
  return { message, budgetMs: limits.DELIVERY_BUDGET_MS, doubtful: leased.attempt > 1 };
}

/** Returns true if those who can decide are asked directly: there is no thread, or only the requester reads it. */
const isPrivate = ({ request, leased, hasNoThread }: InputLook): boolean =>
  hasNoThread || isAskedDirectly(request, leased.record.channel);

/** Posts or updates the message in the thread. One that was deleted is posted again. */
async function showInThread(
  look: InputLook,
  { card, unreachable }: { readonly card: ShownCard | undefined; readonly unreachable: ReadonlySet<string> },
): Promise<ShownCard> {
  const { request, leased, workspace } = look;
  const messages = messagesIn(look, leased.record);
  const people = [...namedDeciders(request), request.requester].filter((id) => id !== undefined);
  const names = await namesIn(people.map(mention), workspace.directory);
  const content = isPrivate(look)
    ? neutralCard(request, decidersNamed(request, names, unreachable), peopleNamed([...unreachable], names))
    : inputCard(request, { inThread: true, names });
  const one = posting(look, content);
  const known = card?.ts ?? (await messages.post(one)).ts;
  // What an earlier attempt has posted may show an older version.
  const ts = card === undefined && !one.doubtful ? known : await messages.replace(known, one);
  return { channel: leased.record.channel, ts };
}

/** Returns the URL of the question's thread; undefined for a direct message, which other people can't open, or if Slack returns none. */
async function threadLink({ workspace, request }: InputLook): Promise<string | undefined> {
  const { origin, channel = "D", thread_ts: ts = "" } = request;
  if (origin !== undefined || channel.startsWith("D")) return undefined;
  return workspace.slack.permalink({ channel, ts }).catch(() => undefined);
}

/** Returns the people who can decide a private request and were not asked yet, and whether the members of a group are unknown. */
async function unaskedPeople(
  look: InputLook,
  asked: readonly string[],
): Promise<{ readonly people: readonly string[]; readonly isGroupUnread: boolean }> {
  const { request, leased, workspace } = look;
  const { slack, emit } = workspace;
  const { groups } = request.decide;
  if (!isPrivate(look) || request.state !== "open") return { people: [], isGroupUnread: false };
  const { team_id, correlation_id } = leased.record;
  const onFailure = (failure: unknown): void =>
    emit("input_group_unread", { correlation_id, operation: "usergroups.users.list", failure });
  const members = await readGroups(groups, { slack, team_id, onFailure });
  const all = new Set([...namedDeciders(request), ...[...members.values()].flatMap((group) => [...group])]);
  // An API token can be named too.
  const unasked = [...all].filter((id) => /^[UW]/.test(id) && !asked.includes(id));
  const people = unasked.slice(0, Math.max(0, mostPeople - asked.length));
  return { people, isGroupUnread: members.size < groups.length };
}

/** Asks a person in a direct message. Resolves with undefined if the app can't write to them. */
async function askDirectly(
  look: InputLook,
  { user_id, place }: { readonly user_id: string; readonly place: CardSetting },
): Promise<ShownCard | undefined> {
  const { request, workspace } = look;
  const after = tsBefore(Date.parse(request.created_at));
  try {
    const channel = await workspace.slack.openDirect(user_id);
    const { ts } = await messagesIn(look, { channel, after }).post(posting(look, inputCard(request, place)));
    return { channel, user_id, ts };
  } catch (failure) {
    reportRefused(look, failure, user_id);
    return undefined;
  }
}

/** Mentions those who can decide, once for each reminder. Resolves with false if Slack refuses it. */
async function remind(look: InputLook, thread: SearchedThread): Promise<boolean> {
  const { request } = look;
  const text = `${decidersMrkdwn(request)} This still needs ${neededBy(request)}, until ${timeMrkdwn(request.expires_at)}.`;
  const one = posting(look, { text, suffix: `:reminder ${request.reminders}` });
  try {
    await messagesIn(look, thread).post(one);
    return true;
  } catch (failure) {
    reportRefused(look, failure);
    return false;
  }
}

/** Pauses before the next look at a request that is open, and after Slack or execution did not answer, milliseconds. */
export const lookAgainMs = 60_000;
const troubleMs = 2_000;

/**
 * Shows an input request until it is closed: a card with buttons, which follows each change and becomes the receipt, and reminders. The request
 * lives in execution; a card that is late or was deleted changes nothing about it.
 */
export async function workOnInput(desk: Workplace, leased: LeasedRecord<"input">, leave: AbortSignal): Promise<void> {
  const { workspace } = desk;
  leave.throwIfAborted();
  try {
    const request = await currentRequest(desk, leased, leave);
    const hasNoThread = leased.progress.shown?.hasNoThread === true;
    const look = { workspace, leased, request, leave, hasNoThread };
    const shown = await showInput(desk, look);
    if (isClosed(request, workspace.clock.now())) return;
    // The next look shows the denial.
    if (isStuck({ ...look, hasNoThread: shown.hasNoThread === true }, shown) && (await isDenied(desk, look, shown)))
      throw new ReleasedError("the input request was denied", 0);
  } catch (failure) {
    leave.throwIfAborted();
    throw waitAfter(failure);
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
export async function peopleNames(
  { decide, requester, escalate = [] }: InputRequest,
  directory: SlackDirectory,
): Promise<Names> {
  const people = [...decide.people, ...escalate, requester ?? ""];
  const groups = decide.groups.map((id) => `<!subteam^${id}>`);
  const names = await namesIn([...people.map((name) => mention(userOfName(name))), ...groups], directory);
  const named = people.map((one) => [one, names.get(userOfName(one)) ?? ""] as const);
  return new Map([...names, ...named.filter(([, name]) => name !== "")]);
}

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
