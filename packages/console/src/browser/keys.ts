import { h } from "preact";
import { openDialog } from "./dialog.ts";

const keys: readonly (readonly [key: string, meaning: string])[] = [
  ["/", "Go to the search or the first filter"],
  ["j", "Next row"],
  ["k", "Previous row"],
  ["Enter", "Open the row"],
  ["Esc", "Leave a field, close a panel"],
  ["?", "Show these keys"],
];

/** Moves through the page by single keys, unless the user types or answers a dialog. */
export function listenForKeys(): void {
  document.addEventListener("keydown", (event) => {
    const { altKey, ctrlKey, key, metaKey, target } = event;
    if (altKey || ctrlKey || metaKey || document.querySelector("dialog[open]")) return;
    const field = (target as Element).closest<HTMLElement>("input, select, textarea");
    if (field !== null) {
      if (key === "Escape") field.blur();
      return;
    }
    if (key === "/") document.querySelector<HTMLElement>("[role=search] :is(input, select)")?.focus();
    else if (key === "j" || key === "k") moveBy(key === "j" ? 1 : -1);
    else if (key === "?") void openDialog("Keys", () => keyList);
    else return;
    event.preventDefault();
  });
}

function moveBy(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(".row-link")];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = at === -1 ? 0 : Math.min(Math.max(at + step, 0), rows.length - 1);
  rows[next]?.focus();
}

const keyList = h(
  "dl",
  { class: "keys" },
  ...keys.flatMap(([key, meaning]) => [h("dt", null, h("kbd", null, key)), h("dd", null, meaning)]),
);
