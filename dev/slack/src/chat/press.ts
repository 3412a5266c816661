import { visibleTo } from "../page/messages/rows.ts";
import { botConversation } from "../page/state/page-state.ts";
import { elementsIn } from "../page/text/content.ts";
import { buttonsOf } from "../page/text/block-element.ts";
import { messageContent } from "../page/text/message-content.ts";
import type { ControlEvent } from "../protocol/control-api.ts";
import type { Message, Workspace } from "../protocol/workspace.ts";
import { channelOf, type ChatOptions } from "./chat.ts";
import { type ControlClient, RefusedError } from "./control-client.ts";
import { createThreadPrinter } from "./printing.ts";

/** What pressing a button led to. */
export interface Pressed {
  state: "done" | "failed" | "timed_out";
  /** The changed and new messages, oldest first. */
  out: string;
  note: string;
}

const waitMs = 30_000;
/** The time without a change after which a press has had its effect, milliseconds. */
const quietMs = 2_000;

/**
 * Presses the newest button with this label that the person sees in the channel, once there is one, and resolves with what changes until
 * nothing has changed for a while and the app no longer works in the thread. Rejects with a `RefusedError` if none comes in time.
 */
export async function press(
  client: ControlClient,
  label: string,
  { channel: place, as, timeoutMs = waitMs }: Pick<ChatOptions, "channel" | "as" | "timeoutMs">,
): Promise<Pressed> {
  const workspace = await client.workspace();
  const { user, channel } = placeOf(workspace, place, as);
  const closing = new AbortController();
  const signalled = (): AbortSignal => AbortSignal.any([AbortSignal.timeout(timeoutMs), closing.signal]);
  const find = async () => buttonIn(visibleTo(user, await client.messages(channel)), label);
  const found = await waitFor(find, await client.events(signalled()));
  if (!found) {
    closing.abort();
    throw new RefusedError(`no message in this conversation has a button "${label}"`);
  }
  const { thread, act } = found;
  const events = await client.events(signalled());
  const changed = new Map<string, Message>();
  let isWorking = false;
  let quiet: NodeJS.Timeout | undefined;
  try {
    const { warning } = await client.act({ ...act, user, channel });
    if (warning !== undefined) return { state: "failed", out: "", note: `The app did not take it: ${warning}\n` };
    for await (const event of events) {
      if (event.type === "views" && event.user === user) return { state: "done", out: "", note: "A modal opened.\n" };
      if (isAnswer(event, { user, channel })) changed.set(event.message.ts, event.message);
      else if (event.type === "status" && event.thread_ts === thread) isWorking = event.status === "processing";
      else continue;
      clearTimeout(quiet);
      if (changed.size > 0 && !isWorking) quiet = setTimeout(() => closing.abort(), quietMs);
    }
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  } finally {
    clearTimeout(quiet);
    closing.abort();
  }
  if (changed.size === 0)
    return { state: "timed_out", out: "", note: `Nothing changed within ${timeoutMs / 1000} seconds.\n` };
  let out = "";
  const print = createThreadPrinter((text) => (out += text), workspace);
  for (const message of [...changed.values()].toSorted((a, b) => Number(a.ts) - Number(b.ts))) print(message);
  return { state: "done", out, note: "" };
}

/** Resolves with what `find` returns, once it does; with undefined at the end of the events. */
async function waitFor<T>(find: () => Promise<T | undefined>, events: AsyncIterable<unknown>): Promise<T | undefined> {
  try {
    let found = await find();
    const news = events[Symbol.asyncIterator]();
    while (found === undefined && (await news.next()).done !== true) found = await find();
    return found;
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    return undefined;
  }
}

/** Returns the ids of the person and the conversation. */
function placeOf(workspace: Workspace, place: string, as: string | undefined): { user: string; channel: string } {
  const { users, channels } = workspace;
  const user = users.find((one) => (as === undefined ? !one.is_bot : [one.id, one.name].includes(as)))?.id;
  if (user === undefined) throw new RefusedError(`user ${as} not found`);
  const channel = place === "dm" ? botConversation(workspace, user) : channelOf(channels, place);
  if (!channel) throw new RefusedError(`channel ${place} not found`);
  return { user, channel: channel.id };
}

/** Returns how to press the newest button with this label, and the thread it is in; `messages` are oldest first. */
function buttonIn(messages: readonly Message[], label: string) {
  const all = messages.flatMap((message) =>
    elementsIn(messageContent(message)).flatMap(({ block, element }) =>
      buttonsOf(element).map((button) => ({ message, block, action_id: element.action_id, ...button })),
    ),
  );
  const found = all.findLast((button) => button.label.toLowerCase() === label.toLowerCase());
  if (!found) return undefined;
  const { message, block, action_id, value } = found;
  const { ts, thread_ts: thread = ts } = message;
  return { thread, act: { ts, block_id: block, action_id, ...(value !== undefined && { value }) } };
}

/** Returns true for a new or changed message of the app that the person sees. */
function isAnswer(
  event: ControlEvent,
  { user, channel }: { user: string; channel: string },
): event is Extract<ControlEvent, { message: Message }> {
  if (event.type !== "message" && event.type !== "message_changed") return false;
  const { message } = event;
  return message.channel === channel && message.bot_id !== undefined && visibleTo(user, [message]).length > 0;
}
