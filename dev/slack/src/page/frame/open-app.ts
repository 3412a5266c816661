import { controlApi } from "../state/control-api.ts";
import { botConversation } from "../state/conversation.ts";
import type { PageState } from "../state/page-state.ts";
import type { Store } from "../state/store.ts";

/** Notifies the app that a person opened it, as Slack does: the first time each user views the messages with its bot. */
export function mountAppOpened(store: Store<PageState>): void {
  const opened = new Set<string>();
  store.watch(({ place, user, workspace }) => {
    const isOpen = place.view === "messages" && place.channel === botConversation(workspace, user)?.id;
    if (!isOpen || opened.has(user)) return;
    opened.add(user);
    void controlApi.openApp(user).catch(() => undefined);
  });
}
