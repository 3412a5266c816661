import { h, type ComponentChild } from "preact";
import { stateWords, type ShownState } from "./text/step-words.ts";

/** The icon of each state on a 16 by 16 grid. Each has its own shape, so color is not needed to tell them apart. */
const shapes: Readonly<Record<ShownState, string>> = {
  pending: "M8 3a5 5 0 1 0 0 10A5 5 0 1 0 8 3",
  running: "M8 2.5A5.5 5.5 0 0 1 13.5 8",
  succeeded: "M3.5 8.5l3 3 6-7",
  failed: "M4 4l8 8M12 4l-8 8",
  canceled: "M4.5 4.5h7v7h-7z",
  skipped: "M4 8h8",
  timed_out: "M8 3a5 5 0 1 0 0 10A5 5 0 1 0 8 3M8 5.5V8l2 1.5",
};

/** The icon of a state. Hidden from screen readers, because the state's name always follows. */
export function stateMark(state: ShownState, size = 16): ComponentChild {
  return h(
    "svg",
    { class: "mark", "data-state": state, viewBox: "0 0 16 16", width: size, height: size, "aria-hidden": "true" },
    state === "running" && h("path", { class: "mark-track", d: "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 1 0 0-11" }),
    h("path", { class: state === "running" ? "mark-turning" : "mark-line", d: shapes[state] }),
  );
}

/** A state as icon and name. */
export const stateChip = (state: ShownState, words = stateWords[state]): ComponentChild =>
  h("span", { class: "chip", "data-state": state }, stateMark(state), words);
