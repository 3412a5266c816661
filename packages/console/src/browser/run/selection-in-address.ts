import { selectionOf, type Selection } from "./selection.ts";

/** Reads the selection from the address (`#step=each[3].slips`), so that it can be shared. */
export function readSelection(): Selection | undefined {
  const path = new URLSearchParams(location.hash.slice(1)).get("step");
  return path === null || path === "" ? undefined : selectionOf(path);
}

/** Writes the selection into the address, without an entry in the browser's history. */
export function writeSelection(selection: Selection | undefined): void {
  const hash = selection ? `#${new URLSearchParams({ step: selection.path ?? selection.stepId }).toString()}` : "";
  history.replaceState(null, "", location.pathname + location.search + hash);
}
