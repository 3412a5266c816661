import type { Channel } from "../../protocol/workspace.ts";
import { channelHash, conversationName, conversationsOf } from "../state/conversation.ts";
import type { PageState } from "../state/page-state.ts";
import type { Store } from "../state/store.ts";
import { type Reader, readerOf } from "../text/names.ts";
import { byId, h, reconcile } from "./element.ts";
import { drawAvatar, icon } from "./pictures.ts";

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
    byId("workspace-name").textContent = workspace.team.name;
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
      return drawAvatar(others[0] ?? reader.user, reader);
    case "mpim":
    default:
      return h("span", { class: "avatar", "aria-hidden": "true" }, String(others.length));
  }
}
