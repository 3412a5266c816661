import type { OpenView } from "../../protocol/workspace.ts";
import { drawWarning, surfaceName } from "../controls/acting.ts";
import { byId, h, reconcile } from "../frame/element.ts";
import { controlApi } from "../state/live-updates.ts";
import { botConversation, channelHash, type PageState, type Store } from "../state/page-state.ts";
import { modalContents } from "../text/block-content.ts";
import { type Reader, readerOf } from "../text/names.ts";
import { drawContent } from "./message-body.ts";

/** What the Home tab hides of the conversation. */
const messageParts = ["messages-scroll", "composer-slot", "status-line"];

/** Mounts the tabs of the conversation with the app. Opening Home tells the app, as Slack does. */
export function mountHome(store: Store<PageState>): void {
  const [tabs, home] = [byId("app-tabs"), byId("home")];
  let openedBy: string | undefined;
  store.watch((state) => {
    const { place, workspace, user, connection } = state;
    const isShown = place.view === "messages" && place.channel === botConversation(workspace, user)?.id;
    const isHome = isShown && place.isHome === true;
    tabs.hidden = !isShown || workspace.app.home_tab_disabled === true;
    home.hidden = !isHome;
    for (const id of messageParts) byId(id).hidden = isHome;
    const opening = isHome && connection === "live" ? user : undefined;
    if (opening !== undefined && opening !== openedBy) void controlApi.openHome(opening).catch(() => undefined);
    openedBy = opening;
    if (!isShown) return;
    const direct = channelHash(place.channel);
    showLink("home-tab", { href: `${direct}/home`, isCurrent: isHome });
    showLink("home-messages-tab", { href: direct, isCurrent: !isHome });
    const view = state.homes.get(user);
    reconcile(home, [{ key: view?.id ?? "none", view }], (item) => drawHome(item.view, readerOf(workspace, user)));
  });
}

function showLink(id: string, { href, isCurrent }: { href: string; isCurrent: boolean }): void {
  const link = byId<HTMLAnchorElement>(id);
  link.href = href;
  if (isCurrent) link.setAttribute("aria-current", "page");
  else link.removeAttribute("aria-current");
}

function drawHome(view: OpenView | undefined, reader: Reader): HTMLElement {
  if (view === undefined) return h("p", { class: "notice" }, "The app has published nothing here.");
  const surface = { user: view.user, view_id: view.id };
  const contents = modalContents(view.definition.blocks).map((one) => drawContent(one, reader, surface));
  return h("div", { "data-surface": surfaceName(surface) }, ...contents, drawWarning());
}
