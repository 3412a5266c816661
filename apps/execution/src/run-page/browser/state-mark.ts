import { h, s } from "./element.ts";
import { stateWords, type ShownState } from "./text/state-words.ts";

/** The sign of each state in a square of 16: a shape of its own, readable without its colour. */
const shapes: Readonly<Record<ShownState, string>> = {
  pending: "M8 3a5 5 0 1 0 0 10A5 5 0 1 0 8 3",
  running: "M8 2.5A5.5 5.5 0 0 1 13.5 8",
  succeeded: "M3.5 8.5l3 3 6-7",
  failed: "M4 4l8 8M12 4l-8 8",
  canceled: "M4.5 4.5h7v7h-7z",
  skipped: "M4 8h8",
  timed_out: "M8 3a5 5 0 1 0 0 10A5 5 0 1 0 8 3M8 5.5V8l2 1.5",
};

/** The sign of a state; for eyes only, its word is always beside it. */
export function stateMark(state: ShownState, size = 16): SVGSVGElement {
  return s(
    "svg",
    { class: "mark", "data-state": state, viewBox: "0 0 16 16", width: size, height: size, "aria-hidden": "true" },
    state === "running" && s("path", { class: "mark-track", d: "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 1 0 0-11" }),
    s("path", { class: state === "running" ? "mark-turning" : "mark-line", d: shapes[state] }),
  );
}

/** A state as sign and word. */
export function stateChip(state: ShownState): HTMLElement {
  return h("span", { class: "chip", "data-state": state }, stateMark(state), stateWords[state]);
}
