import { h, icon } from "../frame/element.ts";
import type { InputContent } from "../text/content.ts";
import type { BlockElement } from "../text/block-element.ts";
import type { Reader } from "../text/names.ts";
import { isBusy, type Surface } from "./acting.ts";
import { drawButton, drawFeedback } from "./buttons.ts";
import { type ControlPlace, createControl } from "./control.ts";
import { drawField, isField } from "./fields.ts";
import { drawChoices, drawSelect } from "./menus.ts";

/** Draws an element that a person can use; undefined if this person must not see it. */
export function drawControl(element: BlockElement, place: ControlPlace): HTMLElement | undefined {
  const { type, visible_to_user_ids: only } = element;
  const control = createControl(element, place);
  const busy = (): boolean => isBusy(place.surface);
  if (Array.isArray(only) && !only.includes(place.surface.user)) return undefined;
  if (isField(element)) return drawField(control, place.input?.isQuiet === true);
  if (type === "feedback_buttons") return drawFeedback(control, busy);
  if (/^(button|workflow_button|icon_button)$/.test(type)) {
    const button = drawButton(control, busy);
    if (type === "icon_button") button.prepend(icon("trash"));
    return button;
  }
  const isMissing = /external_select$|_input$|^datetimepicker$/.test(type);
  if (isMissing) return h("span", { class: "text context" }, `(This page has no ${type.replaceAll("_", " ")}.)`);
  const isOpen = /^(radio_buttons|checkboxes|multi_\w+)$/.test(type);
  return isOpen ? drawChoices(control, place.reader) : drawSelect(control, place.reader);
}

/** Draws an input: its label, element, hint, and the place of what is wrong with it. */
export function drawInput(content: InputContent, reader: Reader, surface: Surface): HTMLElement {
  const { block, label, hint, isOptional, isQuiet, element } = content;
  const id = crypto.randomUUID();
  const [labelId, noteId] = [`label-${id}`, `note-${id}`];
  const input = { labelId, noteId, isRequired: !isOptional, isQuiet };
  const error = h("p", { class: "input-error", "data-testid": "input-error", role: "alert" });
  return h(
    "div",
    { class: "input", "data-testid": "input", "data-block": block },
    h("div", { class: "input-label", id: labelId }, label, isOptional && h("small", {}, " (optional)")),
    drawControl(element, { surface, reader, block, input }),
    h("div", { id: noteId }, hint !== "" && h("p", { class: "hint" }, hint), error),
  );
}
