import { h, icon } from "../frame/element.ts";
import { type Block, type BlockElement, listOf, stringOf, words } from "../text/block-element.ts";
import { safeHref } from "../text/mrkdwn.ts";
import { isBusy, lastValues } from "./acting.ts";
import { type ControlPlace, controlAttributes, use } from "./control-place.ts";

/** Draws a button; one with a link also opens it. */
export function drawButton(element: BlockElement, place: ControlPlace): HTMLElement {
  const { text, style, url, accessibility_label } = element;
  const href = safeHref(stringOf(url));
  const press = (): void => {
    if (isBusy(place.surface)) return;
    if (href !== undefined) window.open(href, "_blank", "noopener,noreferrer");
    void use(element, place);
  };
  const attributes = { ...controlAttributes(element, place), "aria-label": optional(accessibility_label) };
  const drawn = h("button", { ...attributes, type: "button", onclick: press }, words(text));
  if (style === "primary" || style === "danger") drawn.classList.add(style);
  return drawn;
}

/** Draws 👍 and 👎; the last pressed one stays marked. */
export function drawFeedback(element: BlockElement, place: ControlPlace): HTMLElement {
  const pressed = lastValues(place.surface, { block_id: place.block, action_id: element.action_id });
  const signs = [
    ["👍", element["positive_button"]],
    ["👎", element["negative_button"]],
  ] as const;
  const buttons = signs.map(([sign, button]) => {
    const { text, value, accessibility_label } = button as Block;
    const press = async (): Promise<void> => {
      if (isBusy(place.surface)) return;
      for (const one of buttons) one.setAttribute("aria-pressed", String(one === drawn));
      await use(element, place, stringOf(value));
    };
    const drawn: HTMLElement = h(
      "button",
      {
        ...controlAttributes(element, place, stringOf(value)),
        type: "button",
        "aria-label": optional(accessibility_label),
        "aria-pressed": String(pressed?.includes(stringOf(value)) ?? false),
        onclick: () => void press(),
      },
      h("span", { "aria-hidden": "true" }, sign),
      ` ${words(text)}`,
    );
    return drawn;
  });
  return h("div", { class: "feedback" }, ...buttons);
}

/** Draws a button with an icon; undefined for people who must not see it. */
export function drawIconButton(element: BlockElement, place: ControlPlace): HTMLElement | undefined {
  const { visible_to_user_ids: only } = element;
  if (only !== undefined && !(listOf(only) as unknown[]).includes(place.surface.user)) return undefined;
  const drawn = drawButton(element, place);
  drawn.prepend(icon("trash"));
  return drawn;
}

const optional = (label: unknown): string | undefined => stringOf(label) || undefined;
