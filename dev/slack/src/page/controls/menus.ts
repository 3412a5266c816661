import { h } from "../frame/element.ts";
import { type BlockElement, type Choice, choicesOf, words } from "../text/block-element.ts";
import { type ControlPlace, controlAttributes, nameAttributes, shownValues, use } from "./control-place.ts";

/** Draws a menu for one choice. An overflow menu keeps no choice. */
export function drawSelect(element: BlockElement, place: ControlPlace): HTMLElement {
  const isOverflow = element.type === "overflow";
  const placeholder = isOverflow ? "⋯" : words(element["placeholder"]) || "Choose";
  const shown = (): string => (isOverflow ? "" : (shownValues(element, place)[0] ?? ""));
  const change = async (): Promise<void> => {
    await use(element, place, select.value);
    select.value = shown();
  };
  const groups = choicesOf(element, place.reader.workspace, place.reader.names).map(([label, choices]) => {
    const options = choices.map(({ value, label: text, description }) =>
      h("option", { value }, description === "" ? text : `${text} – ${description}`),
    );
    return label === "" ? options : [h("optgroup", { label }, ...options)];
  });
  const select = h(
    "select",
    {
      ...controlAttributes(element, place),
      ...(isOverflow ? { "aria-label": "More actions" } : nameAttributes(element, place)),
      required: place.input?.isRequired,
      onchange: () => void change(),
    },
    h("option", { value: "", disabled: true }, placeholder),
    ...groups.flat(),
  );
  select.value = shown();
  return select;
}

/** Draws radio buttons or checkboxes. */
export function drawChoices(element: BlockElement, place: ControlPlace): HTMLElement {
  const isRadio = element.type === "radio_buttons";
  const shown = shownValues(element, place);
  const name = `choice-${crypto.randomUUID()}`;
  const checked = (): string[] =>
    [...group.querySelectorAll<HTMLInputElement>("input:checked")].map(({ value }) => value);
  const change = (): void => void use(element, place, isRadio ? checked().slice(0, 1).join("") : checked());
  const drawChoice = ({ value, label, description }: Choice): HTMLElement =>
    h(
      "label",
      { class: "choice" },
      h("input", {
        ...controlAttributes(element, place, value),
        type: isRadio ? "radio" : "checkbox",
        name,
        value,
        checked: shown.includes(value),
        required: isRadio && place.input?.isRequired,
      }),
      h("span", {}, label, description !== "" && h("small", {}, description)),
    );
  const group: HTMLElement = h(
    "div",
    { class: "choices", role: isRadio ? "radiogroup" : "group", ...nameAttributes(element, place), onchange: change },
    ...choicesOf(element, place.reader.workspace, place.reader.names).flatMap(([label, choices]) => [
      label !== "" && h("strong", {}, label),
      ...choices.map(drawChoice),
    ]),
  );
  return group;
}

/** Draws a menu for several choices: a fold with checkboxes, which says what is chosen. */
export function drawMultiSelect(element: BlockElement, place: ControlPlace): HTMLElement {
  const choices = drawChoices(element, place);
  const summary = h("summary", { class: "control" });
  const say = (): void => {
    const labels = [...choices.querySelectorAll("label:has(:checked) > span")].map(({ textContent }) => textContent);
    summary.textContent = labels.join(", ") || words(element["placeholder"]) || "Choose";
  };
  say();
  return h("details", { class: "multi", onchange: say }, summary, choices);
}
