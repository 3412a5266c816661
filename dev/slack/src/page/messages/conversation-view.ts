import { createComposer } from "../compose/composer.ts";
import { sendMessage } from "../compose/send-message.ts";
import { byId, h } from "../frame/element.ts";
import { icon } from "../frame/pictures.ts";
import { conversationName, conversationNotice } from "../state/conversation.ts";
import { messagesIn, type PageState, threadKey } from "../state/page-state.ts";
import type { Store } from "../state/store.ts";
import { readerOf } from "../text/names.ts";
import { createMessageList } from "./message-row.ts";
import { channelRows, visibleTo } from "./rows.ts";
import { showStatus } from "./status-line.ts";
import { mountPrompts, mountWelcome } from "./welcome.ts";

/** Mounts the middle of the page: a conversation's name, its messages, and the message field. */
export function mountConversation(store: Store<PageState>): void {
  const list = createMessageList(byId("messages-scroll"), byId("messages"), "message");
  const composer = createComposer(store, "", (draft) => sendMessage(store, draft));
  byId("composer-slot").append(composer.element);
  const showWelcome = mountWelcome((text) => sendMessage(store, { text, files: [] }));

  const showPrompts = mountPrompts(byId("prompts"), "prompt", (text) => sendMessage(store, { text, files: [] }));

  store.watch((state) => {
    const { place, workspace, user } = state;
    const channel = place.view === "messages" && workspace.channels.find(({ id }) => id === place.channel);
    if (!channel) return;
    const reader = readerOf(workspace, user);
    const name = conversationName(channel, workspace, user);
    const isDirect = channel.kind === "im" || channel.kind === "mpim";
    const notice = conversationNotice(channel, workspace);
    const rows = channelRows(visibleTo(user, messagesIn(state, channel.id)));

    byId("conversation-name").replaceChildren(isDirect ? "" : icon(channel.kind === "group" ? "lock" : "hash"), name);
    byId("conversation-notice").replaceChildren(notice === undefined ? "" : h("span", {}, notice));
    document.title = `${isDirect ? "" : "#"}${name} · Local Slack`;
    list.show(rows, reader, `${user}/${channel.id}`);
    showWelcome({ channel, name, workspace, isEmpty: rows.length === 0 && state.connection === "live" });
    showPrompts(state.prompts.get(threadKey(channel.id)));
    showStatus(byId("status-line"), state, { channel: channel.id });
    composer.show({ place: channel.id, label: `Message ${isDirect ? "" : "#"}${name}` });
  });
}
