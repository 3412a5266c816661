import type { Message } from "../../protocol/workspace.ts";
import { createComposer, type Draft, forwardedWords, forwarding, sendMessage } from "../compose/composer.ts";
import { byId } from "../frame/element.ts";
import { controlApi } from "../state/live-updates.ts";
import {
  channelHash,
  conversationName,
  messagesIn,
  type PageState,
  type Store,
  threadKey,
} from "../state/page-state.ts";
import { answerPart } from "../text/task-card.ts";
import { readerOf } from "../text/names.ts";
import { createMessageList } from "./message-row.ts";
import { threadRows, visibleTo } from "./rows.ts";
import { showStatus } from "./status-line.ts";

/** Mounts the Stop button of the open thread. Returns a function that shows it while the bot is working and hides it afterwards. */
function mountStopButton(store: Store<PageState>): (isWorking: boolean) => void {
  const button = byId<HTMLButtonElement>("stop");
  const problem = byId("stop-problem");
  const stop = async (): Promise<void> => {
    const { place, user } = store.state;
    if (place.view !== "messages" || place.thread === undefined) return;
    button.disabled = true;
    try {
      await controlApi.stop({ channel: place.channel, thread_ts: place.thread, user });
      problem.textContent = "";
    } catch (error) {
      problem.textContent = error instanceof Error ? error.message : "Stopping failed.";
    }
    button.disabled = false;
  };
  button.addEventListener("click", () => void stop());
  return (isWorking) => {
    button.hidden = !isWorking;
    if (!isWorking) problem.textContent = "";
  };
}

/** Mounts the pane on the right: one thread, a Stop button while the bot is working on it, and a reply field. */
export function mountThreadPane(store: Store<PageState>): void {
  const pane = byId("thread-pane");
  const showStop = mountStopButton(store);
  const { forward, ...composing } = forwarding(store);
  const list = createMessageList(byId("thread-scroll"), byId("thread"), { testId: "thread-message", forward });
  const threadOf = ({ place }: PageState): string | undefined => (place.view === "messages" ? place.thread : undefined);
  const send = (draft: Draft): Promise<void> => sendMessage(store, draft, threadOf(store.state));
  const composer = createComposer("thread-", { send, ...composing });
  byId("thread-composer-slot").append(composer.element);

  store.watch((state) => {
    const { place, workspace, user } = state;
    const channel = place.view === "messages" && workspace.channels.find(({ id }) => id === place.channel);
    const thread = threadOf(state);
    pane.hidden = !channel || thread === undefined;
    if (!channel || thread === undefined) return;
    const rows = threadRows(visibleTo(user, messagesIn(state, channel.id)), thread);
    const isDirect = channel.kind === "im" || channel.kind === "mpim";
    byId("thread-place").textContent = (isDirect ? "" : "#") + conversationName(channel, workspace, user);
    byId<HTMLAnchorElement>("thread-close").href = channelHash(channel.id);
    byId("thread-gone").hidden = rows.length > 0 || state.connection !== "live";
    list.show(rows, readerOf(workspace, user), `${user}/${channel.id}/${thread}`);
    showStatus(byId("thread-status"), state, { channel: channel.id, thread });
    const isBusy = state.statuses.get(threadKey(channel.id, thread)) === "processing";
    showStop(isBusy || rows.some((row) => row.kind === "message" && isUnfinished(row.message)));
    composer.show({ place: `${channel.id}/${thread}`, label: "Reply…", forwarded: forwardedWords(state) });
  });
}

function isUnfinished(message: Message): boolean {
  return message.bot_id !== undefined && answerPart(message).state === "working";
}
