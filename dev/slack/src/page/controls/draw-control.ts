import { h } from "../frame/element.ts";
import type { InputContent } from "../text/block-content.ts";
import type { BlockElement } from "../text/block-element.ts";
import type { Reader } from "../text/names.ts";
import type { Surface } from "./acting.ts";
import { drawButton, drawFeedback, drawIconButton } from "./buttons.ts";
import type { ControlPlace } from "./control-place.ts";
import { drawField, isField } from "./fields.ts";
import { drawChoices, drawMultiSelect, drawSelect } from "./menus.ts";

/** Draws an element that a person can use; undefined if this person must not see it. */
export function drawControl(element: BlockElement, place: ControlPlace): HTMLElement | undefined {
  const { type } = element;
  if (isField(element)) return drawField(element, place);
  if (type === "button" || type === "workflow_button") return drawButton(element, place);
  if (type === "feedback_buttons") return drawFeedback(element, place);
  if (type === "icon_button") return drawIconButton(element, place);
  if (type === "radio_buttons" || type === "checkboxes") return drawChoices(element, place);
  const isMissing = type.endsWith("external_select") || type.endsWith("_input");
  if (isMissing) return h("span", { class: "text context" }, `(This page has no ${type.replaceAll("_", " ")}.)`);
  return type.startsWith("multi_") ? drawMultiSelect(element, place) : drawSelect(element, place);
}

/** Draws an input: its label, element, hint, and the place of what is wrong with it. */
export function drawInput(content: InputContent, reader: Reader, surface: Surface): HTMLElement {
  const { block, label, hint, isOptional, isDispatched, element } = content;
  const id = crypto.randomUUID();
  const [labelId, noteId] = [`label-${id}`, `note-${id}`];
  const input = { labelId, noteId, isRequired: !isOptional, isQuiet: !isDispatched };
  return h(
    "div",
    { class: "input", "data-testid": "input", "data-block": block, "data-required": !isOptional },
    h("div", { class: "input-label", id: labelId }, label, isOptional && h("small", {}, " (optional)")),
    drawControl(element, { surface, reader, block, input }),
    h(
      "div",
      { id: noteId },
      hint !== "" && h("p", { class: "hint-line" }, hint),
      h("p", { class: "input-error", "data-testid": "input-error", role: "alert" }),
    ),
  );
}
