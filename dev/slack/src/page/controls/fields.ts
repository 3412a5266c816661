import { h } from "../frame/element.ts";
import { type BlockElement, words } from "../text/block-element.ts";
import type { Control } from "./control.ts";

const types: Readonly<Record<string, string>> = {
  plain_text_input: "text",
  email_text_input: "email",
  url_text_input: "url",
  number_input: "number",
  datepicker: "date",
  timepicker: "time",
};

export const isField = ({ type }: BlockElement): boolean => Object.hasOwn(types, type);

/**
 * Draws a field for text, a number, a date or a time. Slack gets the value when the person leaves the field or presses Enter; a value that it
 * keeps for the submission is kept at each keystroke.
 */
export function drawField({ element, values, attributes, use }: Control, isQuiet: boolean): HTMLElement {
  const { min_length, max_length, min_value, max_value, is_decimal_allowed } = element;
  const limits = { minlength: min_length, maxlength: max_length, min: min_value, max: max_value };
  const own = {
    ...attributes(),
    ...(limits as Record<string, string | undefined>),
    placeholder: words(element["placeholder"]) || undefined,
    step: is_decimal_allowed === true ? "any" : undefined,
    [isQuiet ? "oninput" : "onchange"]: () => void use(field.value),
  };
  const field =
    element["multiline"] === true
      ? h("textarea", { ...own, rows: 4 })
      : h("input", { ...own, type: types[element.type], autocomplete: "off" });
  field.value = values[0] ?? "";
  return field;
}
