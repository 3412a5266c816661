import type { PageState } from "../state/page-state.ts";
import type { Store } from "../state/store.ts";
import { byId } from "./element.ts";
import { icon } from "./pictures.ts";

const storageKey = "crosszone.theme";

type Theme = "light" | "dark";

/** Applies the stored theme, or the system's theme by default, and wires the switch. */
export function mountTheme(): void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const button = byId("theme-switch");
  const show = (): void => {
    const theme = chosenTheme() ?? (system.matches ? "dark" : "light");
    const other = theme === "dark" ? "light" : "dark";
    document.documentElement.dataset["theme"] = theme;
    button.replaceChildren(icon(theme === "dark" ? "sun" : "moon"));
    button.setAttribute("aria-label", `Switch to the ${other} theme`);
    button.title = `Switch to the ${other} theme`;
  };
  button.addEventListener("click", () => {
    localStorage.setItem(storageKey, document.documentElement.dataset["theme"] === "dark" ? "light" : "dark");
    show();
  });
  system.addEventListener("change", show);
  show();
}

function chosenTheme(): Theme | undefined {
  const stored = localStorage.getItem(storageKey);
  return stored === "light" || stored === "dark" ? stored : undefined;
}

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
