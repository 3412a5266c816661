import { type InputRequest, ZoneError } from "@crosszone/contracts";
import { LinkError } from "@crosszone/jsonrpc";
import { ReleasedError, UnanswerableError } from "../../inbox/endings.ts";
import type { InputRecord, LeasedRecord, ShownCard, ShownInput } from "../../inbox/records.ts";
import { SlackCallError } from "../../slack/slack-call-error.ts";
import { createMarkedMessages, type MarkedMessages } from "../posting/marked-messages.ts";
import { isRefusedForGood } from "../posting/send-once.ts";
import type { Answering, Flow } from "../questions/attempt.ts";
import { listSession } from "../tasks/zone-calls.ts";
import { askDirectly, directReminder } from "./direct-cards.ts";
import { inputCard, neutralCard } from "./input-card.ts";
import { decidersText, mention, namedDeciders, timeText } from "./people-text.ts";
import { isClosed } from "./receipt.ts";

/** Pauses before the next look at a request that is open, and after Slack or execution did not answer, milliseconds. */
export const lookAgainMs = 2_000;
const troubleMs = 5_000;

/**
 * Makes the flow that shows an input request until it is closed: a card with buttons, which follows each change and becomes the receipt, and
 * reminders. The request lives in execution; a card that is late or was deleted changes nothing about it.
 */
export function createInputFlow(answering: Answering): Flow<"input"> {
  const { workspace, clock, running, followInputs, emit } = answering;
  return async (leased, lease) => {
    const leave = AbortSignal.any([lease, running.leaving]);
    leave.throwIfAborted();
    followInputs();
    const { channel, thread_ts, correlation_id } = leased.record;
    const { slack } = workspace;
    const messages = createMarkedMessages({ slack, clock, thread: { channel, thread_ts }, leave });
    try {
      const request = await currentRequest(answering, leased.record, leave);
      await show(answering, { leased, request, messages, leave });
      if (isClosed(request, clock.now())) return;
    } catch (error) {
      leave.throwIfAborted();
      if (isRefusedForGood(error)) {
        emit("input_not_shown", { correlation_id, input_id: leased.record.request.request_id, operation: error.method, failure: error });
        throw new UnanswerableError("Slack refuses the card", { cause: error });
      }
      throw laterAfter(error);
    }
    throw new ReleasedError("the input request is open", lookAgainMs);
  };
}

/** Returns how to wait after a failure of Slack or execution, which doesn't count as an attempt; other errors as they are. */
function laterAfter(error: unknown): unknown {
  if (error instanceof SlackCallError) return new ReleasedError(error.message, Math.max(troubleMs, error.retryAfterMs ?? 0));
  const isZone = error instanceof LinkError || (error instanceof ZoneError && error.retryable);
  return isZone ? new ReleasedError(error.message, troubleMs) : error;
}

/** Returns the request as it is now; as withdrawn if execution does not have it any more. */
async function currentRequest(
  { zone, limits }: Answering,
  { request, correlation_id: correlationId }: InputRecord,
  signal: AbortSignal,
): Promise<InputRequest> {
  const call = { signal, session: listSession, correlationId, timeoutMs: limits.EXECUTION_TIMEOUT_MS };
  const { request_id } = request;
  return zone.call("get_input_request", { request_id }, call).catch((error: unknown): InputRequest => {
    if (!(error instanceof ZoneError) || error.kind !== "input_request_not_found") throw error;
    return { ...request, state: "withdrawn", version: request.version + 1 };
  });
}

/** One look at a request. */
export interface InputLook {
  readonly leased: LeasedRecord<"input">;
  readonly request: InputRequest;
  /** The app's messages in the thread. */
  readonly messages: MarkedMessages;
  readonly leave: AbortSignal;
}

/** Brings the messages up to date, and stores what they show. */
async function show(answering: Answering, look: InputLook): Promise<void> {
  const { inbox } = answering;
  const { leased, request } = look;
  const { shown } = leased.progress;
  const reminders = request.reminders ?? 0;
  if (shown?.version === request.version && shown.reminders === reminders) return;
  const note = (next: ShownInput): Promise<void> => inbox.note(leased, { shown: next });
  if (shown === undefined) {
    const card = await postCard(answering, look);
    const cards = [card, ...(await askDirectly(answering, look))];
    return note({ version: request.version, reminders, cards });
  }
  const isReminded = request.state === "open" && reminders > shown.reminders;
  if (isReminded) await remind(answering, look, reminders);
  const cards: ShownCard[] = [];
  for (const card of shown.cards) cards.push(await updateCard(answering, look, card));
  const asked = isReminded ? await askDirectly(answering, look, new Set(cards.flatMap(({ user_id }) => user_id ?? []))) : [];
  await note({ version: request.version, reminders, cards: [...cards, ...asked] });
}

/** Returns the content of the message in the thread. */
const threadCard = (request: InputRequest) =>
  request.visibility === "private" ? neutralCard(request) : inputCard(request);

function posting({ limits }: Answering, { leased }: InputLook, content: { readonly text: string }, mark?: string) {
  const { request_id, correlation_id } = leased.record;
  const message = { ...content, mark: { request_id: mark ?? request_id, correlation_id, state: "done" as const } };
  return { message, budgetMs: limits.DELIVERY_BUDGET_MS, doubtful: leased.attempt > 1 };
}

async function postCard(answering: Answering, look: InputLook): Promise<ShownCard> {
  const { channel } = look.leased.record;
  const { ts } = await look.messages.post(posting(answering, look, threadCard(look.request)));
  return { channel, ts };
}

/** Updates a message. One in the thread that was deleted is posted again. */
async function updateCard(answering: Answering, look: InputLook, card: ShownCard): Promise<ShownCard> {
  const { request, messages } = look;
  if (card.user_id === undefined)
    return { ...card, ts: await messages.replace(card.ts, posting(answering, look, threadCard(request))) };
  const { message } = posting(answering, look, inputCard(request));
  await answering.workspace.slack.update(card, message).catch((error: unknown) => {
    if (!isRefusedForGood(error)) throw error;
  });
  return card;
}

/** Mentions those who can decide, once for each reminder. */
async function remind(answering: Answering, look: InputLook, nth: number): Promise<void> {
  const { request, leased, messages } = look;
  if (request.visibility === "private") return directReminder(answering, look);
  const who = namedDeciders(request).length > 0 || request.decide.groups.length > 0 ? decidersText(request) : "";
  const self = request.requester === undefined ? "" : `, asked by ${mention(request.requester)}`;
  const text = `${who} This still needs a decision${self}, until ${timeText(request.expires_at)}.`;
  await messages.post(posting(answering, look, { text }, `${leased.record.request_id}:reminder ${nth}`));
}
