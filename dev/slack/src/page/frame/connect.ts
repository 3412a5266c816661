import type { GuideSection } from "../../protocol/guide.ts";
import { controlApi } from "../state/live-updates.ts";
import type { PageState, Store } from "../state/page-state.ts";
import { byId, h } from "./element.ts";

/** Mounts the view Connect: what to do next. Reads the guide again when the page reconnects or the view opens: each start has its own. */
export function mountConnect(store: Store<PageState>): void {
  let seen = "";
  const read = async (): Promise<void> => {
    const sections = await controlApi.guide().catch(() => []);
    byId("connect-tab").hidden = sections.length === 0;
    byId("guide").replaceChildren(...sections.map(drawSection));
  };
  store.watch(({ place, connection }) => {
    const isShown = place.view === "connect";
    byId("connect").hidden = !isShown;
    if (isShown) document.title = "Connect · Local Slack";
    const now = `${connection} ${place.view}`;
    if (now !== seen && connection !== "lost") void read();
    seen = now;
  });
}

const drawSection = ({ title, text, lines }: GuideSection): HTMLElement =>
  h("section", {}, h("h3", {}, title), h("p", {}, text), h("pre", {}, ...lines.map((line) => h("code", {}, line))));
