import { h } from "../frame/element.ts";
import { type Block, stringOf, words } from "../text/block-element.ts";
import { safeHref } from "../text/rich-text.ts";
import type { Control } from "./control.ts";

/** Draws a button; one with a link also opens it. */
export function drawButton({ element, attributes, use }: Control, isBusy: () => boolean): HTMLElement {
  const href = safeHref(stringOf(element["url"]));
  const press = (): void => {
    if (isBusy()) return;
    if (href !== undefined) window.open(href, "_blank", "noopener,noreferrer");
    void use();
  };
  const style = stringOf(element["style"]);
  return h(
    "button",
    { ...attributes(), class: `control ${style}`, type: "button", onclick: press },
    words(element["text"]),
  );
}

/** Draws the two buttons of feedback by their texts; the last pressed one stays marked. */
export function drawFeedback({ element, values, attributes, use }: Control, isBusy: () => boolean): HTMLElement {
  const buttons = [element["positive_button"], element["negative_button"]].map((button) => {
    const { text, value, accessibility_label } = button as Block;
    const press = (): void => {
      if (isBusy()) return;
      for (const one of buttons) one.setAttribute("aria-pressed", String(one === drawn));
      void use(stringOf(value));
    };
    const drawn: HTMLElement = h(
      "button",
      {
        ...attributes(stringOf(value)),
        type: "button",
        "aria-label": stringOf(accessibility_label) || undefined,
        "aria-pressed": String(values.includes(stringOf(value))),
        onclick: press,
      },
      words(text),
    );
    return drawn;
  });
  return h("div", { class: "controls" }, ...buttons);
}
