import { byId } from "./element.ts";
import { icon } from "./icon.ts";

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
