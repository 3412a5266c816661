import type { PageState } from "../state/page-state.ts";
import type { Store } from "../state/store.ts";
import { byId } from "./element.ts";

/** Shows when the page has lost the local Slack and is reconnecting. */
export function mountConnection(store: Store<PageState>): void {
  const mark = byId("connection");
  store.watch(({ connection }) => {
    mark.dataset["connection"] = connection;
    mark.hidden = connection !== "lost";
  });
}

/** Makes the list of conversations a drawer on phones: a button opens it; a choice, Escape or a click outside closes it. */
export function mountDrawer(store: Store<PageState>): void {
  const button = byId("drawer-switch");
  let place = store.state.place;
  const open = (isOpen: boolean): void => {
    document.body.classList.toggle("drawer-open", isOpen);
    button.setAttribute("aria-expanded", String(isOpen));
  };
  button.addEventListener("click", () => open(true));
  byId("drawer-shade").addEventListener("click", () => open(false));
  byId("sidebar").addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !document.body.classList.contains("drawer-open")) return;
    event.preventDefault();
    open(false);
    button.focus();
  });
  store.watch((state) => {
    if (state.place !== place) open(false);
    place = state.place;
  });
}
