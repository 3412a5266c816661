import type { SuggestedPrompts } from "../../control/agent-protocol.ts";
import { h } from "../frame/element.ts";

/**
 * Mounts the prompts that the app suggests above a message field; a click sends one. Returns a function that shows the given prompts, or
 * hides the slot if there are none.
 */
export function mountPrompts(
  slot: HTMLElement,
  testId: string,
  send: (text: string) => Promise<void>,
): (suggested: SuggestedPrompts | undefined) => void {
  let shown: SuggestedPrompts | undefined;
  return (suggested) => {
    slot.hidden = suggested === undefined;
    if (suggested === shown) return;
    shown = suggested;
    const chips = (suggested?.prompts ?? []).map(({ title, message }) => {
      const chip = h("button", { class: "chip", type: "button", "data-testid": testId, title: message }, title);
      chip.addEventListener("click", () => {
        chip.disabled = true;
        void send(message)
          .catch(() => undefined)
          .finally(() => (chip.disabled = false));
      });
      return chip;
    });
    slot.replaceChildren(suggested?.title ? h("p", {}, suggested.title) : "", h("div", { class: "chips" }, ...chips));
  };
}
