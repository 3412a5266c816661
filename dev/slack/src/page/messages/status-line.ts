import { h } from "../frame/element.ts";
import { type PageState, threadKey } from "../state/page-state.ts";

/** Readable text for the states of an agent session; other states mean that nothing is running. */
const sessionStates: Readonly<Record<string, string>> = {
  processing: "is working…",
  suspended: "is waiting for you",
  active: "",
  closed: "",
};

/**
 * Returns a thread's status as a sentence: the app's name and its own status (`is thinking…`), or the meaning of its agent session's state.
 * Empty if there is nothing to show.
 */
export function statusSentence(app: string, status: string): string {
  const words = Object.hasOwn(sessionStates, status) ? sessionStates[status] : status;
  return words ? `${app} ${words}` : "";
}

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
