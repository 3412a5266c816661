import { h } from "../frame/element.ts";
import { type BlockElement, words } from "../text/block-element.ts";
import { type ControlPlace, controlAttributes, nameAttributes, shownValues, use } from "./control-place.ts";

const types: Readonly<Record<string, string>> = {
  plain_text_input: "text",
  email_text_input: "email",
  url_text_input: "url",
  number_input: "number",
  datepicker: "date",
  timepicker: "time",
  datetimepicker: "datetime-local",
};

export const isField = ({ type }: BlockElement): boolean => Object.hasOwn(types, type);

/** Draws a field for text, a number, a date or a time. Its value is sent when the person leaves it or presses Enter. */
export function drawField(element: BlockElement, place: ControlPlace): HTMLElement {
  const type = types[element.type];
  const isMoment = type === "datetime-local";
  const [shown = ""] = shownValues(element, place);
  const change = (): void =>
    void use(element, place, isMoment ? String(Date.parse(field.value) / 1000) : field.value.replaceAll("\r\n", "\n"));
  const { min_length, max_length, min_value, max_value, is_decimal_allowed, multiline } = element;
  const attributes = {
    ...controlAttributes(element, place),
    ...nameAttributes(element, place),
    placeholder: words(element["placeholder"]) || undefined,
    required: place.input?.isRequired,
    minlength: min_length as number | undefined,
    maxlength: max_length as number | undefined,
    onchange: change,
  };
  const limits = { min: min_value as string | undefined, max: max_value as string | undefined };
  const step = is_decimal_allowed === true ? "any" : undefined;
  const field =
    multiline === true
      ? h("textarea", { ...attributes, rows: 4 })
      : h("input", { ...attributes, ...limits, step, type, autocomplete: "off" });
  field.value = isMoment && shown !== "" ? localMoment(Number(shown)) : shown;
  return field;
}

/** Returns Unix seconds as a `datetime-local` value. */
function localMoment(seconds: number): string {
  const moment = new Date(seconds * 1000);
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
