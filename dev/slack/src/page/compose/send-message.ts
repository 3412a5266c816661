import { composeText } from "../text/names.ts";
import type { Draft } from "./composer.ts";
import { controlApi } from "../state/control-api.ts";
import { channelHash } from "../state/conversation.ts";
import { messagesIn, type PageState } from "../state/page-state.ts";
import type { Store } from "../state/store.ts";

/**
 * Sends the acting user's message, or runs its slash command, in the shown channel or its open thread. Rejects if the local Slack refuses
 * it.
 */
export async function sendMessage(store: Store<PageState>, draft: Draft, thread?: string): Promise<void> {
  const { place, user, workspace } = store.state;
  if (place.view !== "messages") return;
  const to = { channel: place.channel, user, ...(thread === undefined ? {} : { thread_ts: thread }) };
  if (draft.isCommand) {
    await controlApi.runCommand({ ...to, text: draft.text });
    return;
  }
  const message = await controlApi.post({
    ...to,
    text: composeText(draft.text, workspace.users),
    ...(draft.files.length === 0 ? {} : { files: [...draft.files] }),
  });
  if (thread === undefined)
    store.update((state) => ({ ...state, awaiting: { channel: message.channel, ts: message.ts } }));
}

/**
 * Opens the thread of a sent message as soon as the bot answers in it, and moves the focus there: the next words continue the thread. The answer can arrive before the request that sent the message
 * returns, so this checks the state rather than single events.
 */
export function openAnsweredThread(store: Store<PageState>): void {
  store.watch((state) => {
    const { awaiting, place } = state;
    if (!awaiting) return;
    const { channel, ts } = awaiting;
    if (!messagesIn(state, channel).some((one) => one.thread_ts === ts && one.bot_id !== undefined)) return;
    store.update((now) => ({ ...now, awaiting: undefined }));
    if (place.view !== "messages" || place.channel !== channel) return;
    const opened = channelHash(channel, ts);
    if (location.hash === opened) return focusReply();
    addEventListener("hashchange", focusReply, { once: true });
    location.hash = opened;
  });
}

/** Focuses the reply field, unless the person is writing or is elsewhere on the page. */
function focusReply(): void {
  const field = document.querySelector<HTMLTextAreaElement>('[data-testid="composer"]');
  const isWaiting =
    document.activeElement === document.body || document.activeElement?.closest("form")?.contains(field);
  if (isWaiting && field?.value === "") document.querySelector<HTMLElement>('[data-testid="thread-composer"]')?.focus();
}
