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
 * Opens the thread of a sent message as soon as the bot answers in it. The answer can arrive before the request that sent the message
 * returns, so this checks the state rather than single events.
 */
export function openAnsweredThread(store: Store<PageState>): void {
  store.watch((state) => {
    const { awaiting, place } = state;
    if (!awaiting) return;
    const { channel, ts } = awaiting;
    if (!messagesIn(state, channel).some((one) => one.thread_ts === ts && one.bot_id !== undefined)) return;
    store.update((now) => ({ ...now, awaiting: undefined }));
    if (place.view === "messages" && place.channel === channel) location.hash = channelHash(channel, ts);
  });
}
