import type { Channel, User } from "../../protocol/workspace.ts";
import {
  botConversation,
  channelHash,
  conversationName,
  conversationsOf,
  isVisible,
  type PageState,
  type Store,
} from "../state/page-state.ts";
import { controlApi } from "../state/live-updates.ts";
import { homeOf, type Reader, readerOf } from "../text/names.ts";
import { byId, drawAvatar, h, icon, reconcile } from "./element.ts";

interface Item {
  key: string;
  channel: Channel;
  name: string;
  isShown: boolean;
  isUnread: boolean;
}

/** Mounts the list of conversations on the left: channels, then direct messages, as the acting user sees them. */
export function mountSidebar(store: Store<PageState>): void {
  store.watch((state) => {
    const { workspace, user, place, unread } = state;
    const reader = readerOf(workspace, user);
    byId("workspace-name").textContent = homeOf(workspace, user);
    const { channels, direct } = conversationsOf(workspace, user);
    const toItem = (channel: Channel): Item => ({
      key: `${user}/${channel.id}`,
      channel,
      name: conversationName(channel, workspace, user),
      isShown: place.view === "messages" && place.channel === channel.id,
      isUnread: unread.has(channel.id),
    });
    reconcile(byId("channels"), channels.map(toItem), (item) => drawItem(item, reader));
    reconcile(byId("direct-messages"), direct.map(toItem), (item) => drawItem(item, reader));
  });
}

function drawItem({ channel, name, isShown, isUnread }: Item, reader: Reader): HTMLElement {
  const others = channel.members.filter((member) => member !== reader.user);
  const isApp = channel.kind === "im" && others.includes(reader.bot);
  const note = channel.is_archived ? "archived" : channel.is_ext_shared ? "shared" : undefined;
  const state = [isUnread && "unread", channel.is_archived && "archived"].filter(Boolean).join(" ");
  return h(
    "li",
    {},
    h(
      "a",
      {
        class: `conversation ${state}`,
        href: channelHash(channel.id),
        "aria-current": isShown ? "page" : undefined,
        "data-testid": "conversation",
        "data-channel": channel.id,
      },
      drawSign(channel, others, reader),
      h("span", { class: "name" }, name),
      isApp && h("span", { class: "badge" }, "APP"),
      note !== undefined && h("small", {}, note),
      isUnread && h("span", { class: "dot", role: "img", "aria-label": "unread" }),
    ),
  );
}

function drawSign(channel: Channel, others: string[], reader: Reader): Element {
  switch (channel.kind) {
    case "channel":
      return icon(channel.is_archived ? "archive" : "hash");
    case "group":
      return icon("lock");
    case "im":
      return drawAvatar({ user: others[0] ?? reader.user }, reader);
    case "mpim":
    default:
      return h("span", { class: "avatar", "aria-hidden": "true" }, String(others.length));
  }
}

const storageKey = "crosszone.acting-user";

/** Returns the last acting user, if the workspace still has them; else its first person. */
export function rememberedUser(users: readonly User[]): string {
  const people = users.filter((user) => !user.is_bot);
  const remembered = people.find((user) => user.id === localStorage.getItem(storageKey));
  return (remembered ?? people[0])?.id ?? "";
}

/** Mounts the selector of the acting user, and the button that deactivates them. */
export function mountActingUser(store: Store<PageState>): void {
  const select = byId<HTMLSelectElement>("act-as");
  select.addEventListener("change", () => {
    const user = select.value;
    localStorage.setItem(storageKey, user);
    store.update((state) => ({ ...state, user, awaiting: undefined }));
    const { place, workspace } = store.state;
    const direct = botConversation(workspace, user);
    const shown = place.view === "messages" && workspace.channels.find(({ id }) => id === place.channel);
    if (shown && !isVisible(shown, workspace, user) && direct) location.hash = channelHash(direct.id);
  });
  const isDeactivated = ({ workspace, user }: PageState): boolean =>
    workspace.users.some(({ id, deleted }) => id === user && deleted === true);
  const button = byId("deactivate");
  button.addEventListener("click", () => {
    const { user } = store.state;
    void controlApi.putUser({ id: user, deleted: !isDeactivated(store.state) });
  });
  store.watch((state) => {
    const { workspace, user } = state;
    const people = workspace.users.filter((one) => !one.is_bot);
    const options = people.map((person) => ({ key: person.id, person }));
    reconcile(select, options, ({ person }) => drawOption(person, homeOf(workspace, person.id)));
    select.value = user;
    button.textContent = isDeactivated(state) ? "Reactivate this person" : "Deactivate this person";
    byId("act-as-avatar").replaceChildren(drawAvatar({ user }, readerOf(workspace, user)));
  });
}

function drawOption(user: User, home: string): HTMLElement {
  const note = user.deleted
    ? " (deactivated)"
    : user.team_id !== undefined
      ? ` (${home})`
      : user.is_restricted
        ? " (guest)"
        : "";
  return h("option", { value: user.id }, user.real_name + note);
}
