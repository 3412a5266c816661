import { byId, h, icon } from "../frame/element.ts";
import {
  conversationName,
  conversationNotice,
  hasApp,
  messagesIn,
  type PageState,
  type Store,
  threadKey,
} from "../state/page-state.ts";
import { createComposer, forwardedWords, forwarding, sendMessage } from "../compose/composer.ts";
import { readerOf } from "../text/names.ts";
import { controlApi } from "../state/live-updates.ts";
import { createMessageList } from "./message-row.ts";
import { channelRows, visibleTo } from "./rows.ts";
import { mountWelcome } from "./welcome.ts";

/** Readable text for the states of an agent session; other states mean that nothing is running. */
const sessionStates: Readonly<Record<string, string>> = {
  processing: "is working…",
  suspended: "is waiting for a decision",
  active: "",
  closed: "",
};

/**
 * Returns a thread's status as a sentence: the app's name and its own status (`is thinking…`), or the meaning of its agent session's state.
 * Empty if there is nothing to show.
 */
function statusSentence(app: string, status: string): string {
  const words = Object.hasOwn(sessionStates, status) ? sessionStates[status] : status;
  return words ? `${app} ${words}` : "";
}

/** Shows the app's status in one thread, or in any thread of a channel: `Crosszone is thinking…`. */
export function showStatus(
  line: HTMLElement,
  state: PageState,
  { channel, thread }: { channel: string; thread?: string },
): void {
  const keys = [...state.statuses.keys()].filter((key) =>
    thread === undefined ? key.startsWith(threadKey(channel, "")) : key === threadKey(channel, thread),
  );
  const sentences = keys.map((key) => statusSentence(state.workspace.app.name, state.statuses.get(key) ?? ""));
  const sentence = sentences.findLast(Boolean) ?? "";
  if (line.textContent === sentence) return;
  line.replaceChildren(sentence && h("span", { class: "pulse", "aria-hidden": "true" }), sentence);
}

/** Mounts the middle of the page: a conversation's name, its messages, and the message field. */
export function mountConversation(store: Store<PageState>): void {
  const { forward, ...composing } = forwarding(store);
  const list = createMessageList(byId("messages-scroll"), byId("messages"), { testId: "message", forward });
  const composer = createComposer("", { send: (draft) => sendMessage(store, draft), ...composing });
  byId("composer-slot").append(composer.element);
  const addApp = byId("add-app");
  addApp.addEventListener("click", () => {
    const { place } = store.state;
    if (place.view === "messages") void controlApi.addApp(place.channel);
  });
  const showWelcome = mountWelcome((text) => sendMessage(store, { text, files: [] }));

  store.watch((state) => {
    const { place, workspace, user } = state;
    const channel = place.view === "messages" && workspace.channels.find(({ id }) => id === place.channel);
    if (!channel) return;
    const reader = readerOf(workspace, user);
    const name = conversationName(channel, workspace, user);
    const isDirect = channel.kind === "im" || channel.kind === "mpim";
    const notice = conversationNotice(channel, workspace, user);
    const rows = channelRows(visibleTo(user, messagesIn(state, channel.id)));

    byId("conversation-name").replaceChildren(isDirect ? "" : icon(channel.kind === "group" ? "lock" : "hash"), name);
    byId("conversation-notice").replaceChildren(notice === undefined ? "" : h("span", {}, notice));
    addApp.hidden = hasApp(channel, workspace) || channel.is_archived === true;
    document.title = `${isDirect ? "" : "#"}${name} · Local Slack`;
    list.show(rows, reader, `${user}/${channel.id}`);
    showWelcome({ channel, name, workspace, isEmpty: rows.length === 0 && state.connection === "live" });
    showStatus(byId("status-line"), state, { channel: channel.id });
    const label = `Message ${isDirect ? "" : "#"}${name}`;
    composer.show({ place: channel.id, label, forwarded: forwardedWords(state) });
  });
}
