import type { User } from "../../protocol/workspace.ts";
import { controlApi } from "../state/control-api.ts";
import { botConversation, channelHash } from "../state/conversation.ts";
import type { PageState } from "../state/page-state.ts";
import type { Store } from "../state/store.ts";
import { readerOf } from "../text/names.ts";
import { byId, h } from "./element.ts";
import { drawAvatar } from "./pictures.ts";

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

const storageKey = "crosszone.acting-user";

/** Returns the last acting user, if the workspace still has them; else its first person. */
export function rememberedUser(users: readonly User[]): string {
  const people = users.filter((user) => !user.is_bot);
  const remembered = people.find((user) => user.id === localStorage.getItem(storageKey));
  return (remembered ?? people[0])?.id ?? "";
}

/** Mounts the selector of the acting user. */
export function mountActingUser(store: Store<PageState>): void {
  const select = byId<HTMLSelectElement>("act-as");
  select.addEventListener("change", () => {
    const user = select.value;
    localStorage.setItem(storageKey, user);
    store.update((state) => ({ ...state, user, awaiting: undefined }));
    const { place, workspace } = store.state;
    const direct = botConversation(workspace, user);
    const shown = place.view === "messages" && workspace.channels.find(({ id }) => id === place.channel);
    if (shown && shown.kind !== "channel" && !shown.members.includes(user) && direct)
      location.hash = channelHash(direct.id);
  });
  store.watch(({ workspace, user }) => {
    const people = workspace.users.filter((one) => !one.is_bot);
    if (select.options.length !== people.length) select.replaceChildren(...people.map(drawOption));
    select.value = user;
    byId("act-as-avatar").replaceChildren(drawAvatar(user, readerOf(workspace, user)));
  });
}

function drawOption(user: User): HTMLElement {
  const note = user.deleted
    ? " (deactivated)"
    : user.team_id !== undefined
      ? " (other organization)"
      : user.is_restricted
        ? " (guest)"
        : "";
  return h("option", { value: user.id }, user.real_name + note);
}
