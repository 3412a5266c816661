import {
  botConversation,
  channelHash,
  type PageState,
  parseHash,
  type Place,
  type Store,
} from "../state/page-state.ts";
import type { Outage } from "../../protocol/faults.ts";
import { controlApi } from "../state/live-updates.ts";
import { byId } from "./element.ts";

/** Shows when the page has lost the local Slack and is reconnecting. */
export function mountConnection(store: Store<PageState>): void {
  const mark = byId("connection");
  store.watch(({ connection }) => {
    mark.dataset["connection"] = connection;
    mark.hidden = connection !== "lost";
  });
}

/** Mounts the selector of the outage, in the banner, which says what the app misses. */
export function mountOutage(store: Store<PageState>): void {
  const select = byId<HTMLSelectElement>("outage");
  select.addEventListener("change", () => void controlApi.setOutage({ kind: select.value as Outage["kind"] }));
  store.watch(({ outage: { kind } }) => {
    byId("banner").dataset["outage"] = kind;
    select.value = kind;
    byId("banner-text").textContent = select.selectedOptions[0]?.title ?? "";
  });
}

/** Makes the address determine the view, so that links, the back button and reloads work. Escape closes a thread. */
export function mountNavigation(store: Store<PageState>): void {
  const follow = (): void => {
    byId("sidebar").hidePopover();
    const { workspace, user, lastChannel } = store.state;
    const home = botConversation(workspace, user)?.id ?? workspace.channels[0]?.id ?? "";
    const wanted = parseHash(location.hash);
    const exists =
      (wanted && wanted.view !== "messages") || workspace.channels.some(({ id }) => id === wanted?.channel);
    const place: Place =
      wanted && exists ? wanted : { view: "messages", channel: lastChannel || home, thread: undefined };
    if (place !== wanted) history.replaceState(undefined, "", channelHash(lastChannel || home));
    store.update((state) => {
      if (place.view !== "messages") return { ...state, place, lastChannel: state.lastChannel || home };
      const unread = new Set([...state.unread].filter((id) => id !== place.channel));
      return { ...state, place, lastChannel: place.channel, unread };
    });
  };
  addEventListener("hashchange", follow);
  /** The event `hashchange` is late. A click must take effect at once, or the next keystrokes go to the wrong place. */
  addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[href^="#/"]');
    const isPlain = event instanceof MouseEvent && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!link || !isPlain) return;
    event.preventDefault();
    location.hash = link.hash;
    follow();
  });
  follow();

  addEventListener("keydown", (event) => {
    const { place } = store.state;
    const isThread = place.view === "messages" && place.thread !== undefined;
    if (event.key !== "Escape" || event.defaultPrevented || !isThread) return;
    location.hash = channelHash(place.channel);
    document.querySelector<HTMLElement>('[data-testid="composer"]')?.focus();
  });

  store.watch(({ place, lastChannel, unread }) => {
    document.body.dataset["view"] = place.view;
    byId<HTMLAnchorElement>("messages-tab").href = channelHash(lastChannel);
    byId("messages-tab").toggleAttribute("data-unread", unread.size > 0);
    for (const [id, view] of [
      ["messages-tab", "messages"],
      ["traffic-tab", "traffic"],
      ["connect-tab", "connect"],
    ] as const) {
      if (place.view === view) byId(id).setAttribute("aria-current", "page");
      else byId(id).removeAttribute("aria-current");
    }
  });
}
