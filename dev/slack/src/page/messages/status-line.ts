import { h } from "../frame/element.ts";
import { type PageState, threadKey } from "../state/page-state.ts";
import { statusSentence } from "./status-text.ts";

/** Shows the app's status in one thread, or in any thread of a channel: `Crosszone is thinking…`. */
export function showStatus(
  line: HTMLElement,
  state: PageState,
  { channel, thread }: { channel: string; thread?: string },
): void {
  const keys = [...state.statuses.keys()].filter((key) =>
    thread === undefined ? key.startsWith(threadKey(channel, "")) : key === threadKey(channel, thread),
  );
  const sentences = keys.map((key) => statusSentence(state.workspace.app.name, state.statuses.get(key) ?? ""));
  const sentence = sentences.findLast(Boolean) ?? "";
  if (line.textContent === sentence) return;
  line.replaceChildren(sentence && h("span", { class: "pulse", "aria-hidden": "true" }), sentence);
}
