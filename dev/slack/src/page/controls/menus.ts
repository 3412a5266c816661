import type { Channel } from "../../protocol/workspace.ts";
import { h } from "../frame/element.ts";
import { type Block, type BlockElement, listOf, stringOf, textOf, words } from "../text/block-element.ts";
import { offersConversation } from "../../workspace/conversation-filter.ts";
import { conversationName } from "../state/page-state.ts";
import type { Names, Reader } from "../text/names.ts";
import { mrkdwnWords } from "../text/rich-text.ts";
import type { Control } from "./control.ts";

/** Draws a menu for one choice. An overflow menu keeps no choice; that of an optional input can be undone. */
export function drawSelect({ element, values, attributes, use }: Control, source: Reader): HTMLElement {
  const isOverflow = element.type === "overflow";
  const placeholder = isOverflow ? "⋯" : words(element["placeholder"]) || "Choose";
  const { required, ...named } = attributes();
  let [shown = ""] = values;
  const change = async (): Promise<void> => {
    const { value } = select;
    if ((await use(value)) && !isOverflow) shown = value;
    select.value = shown;
  };
  const groups = choicesOf(element, source).map(([label, choices]) => {
    const options = choices.map(({ value, label: text }) => h("option", { value }, text));
    return label === "" ? options : [h("optgroup", { label }, ...options)];
  });
  const select = h(
    "select",
    { ...named, required, onchange: () => void change() },
    h("option", { value: "", disabled: required !== false }, placeholder),
    ...groups.flat(),
  );
  if (isOverflow) select.setAttribute("aria-label", "More actions");
  select.value = shown;
  return select;
}

/** Draws choices, all visible: radio buttons for one, checkboxes for several. */
export function drawChoices({ element, values, attributes, use }: Control, source: Reader): HTMLElement {
  const isRadio = element.type === "radio_buttons";
  const set = crypto.randomUUID();
  const { required, "aria-label": name, "aria-labelledby": labelledBy } = attributes();
  const change = (): void => {
    const checked = check();
    void use(isRadio ? checked.join("") : checked);
  };
  const check = (): string[] => {
    const checked = [...group.querySelectorAll<HTMLInputElement>(":checked")].map(({ value }) => value);
    const isMissing = required === true && checked.length === 0;
    group.querySelector("input")?.setCustomValidity(isMissing ? "Choose at least one." : "");
    return checked;
  };
  const drawChoice = ({ value, label, description }: Choice): HTMLElement => {
    const box = { type: isRadio ? "radio" : "checkbox", name: set, value, checked: values.includes(value) };
    return h(
      "label",
      { class: "choice" },
      h("input", { ...attributes(value), required: false, ...box }),
      h("span", {}, label, description !== "" && h("small", {}, description)),
    );
  };
  const names = { "aria-label": name, "aria-labelledby": labelledBy };
  const group: HTMLElement = h(
    "div",
    { class: "choices", role: isRadio ? "radiogroup" : "group", ...names, onchange: change },
    ...choicesOf(element, source).flatMap(([title, choices]) => [
      title !== "" && h("strong", {}, title),
      ...choices.map(drawChoice),
    ]),
  );
  check();
  return group;
}

/** One of the options of a menu. */
interface Choice {
  value: string;
  label: string;
  description: string;
}

/** Returns the choices of a menu, radio buttons or checkboxes, by the label of their group; the label of a single group is empty. */
function choicesOf(element: BlockElement, { workspace, names, user }: Reader): [string, Choice[]][] {
  const { users, channels } = workspace;
  const { type, options, option_groups } = element;
  const named = (ids: { id: string }[]): [string, Choice[]][] => [
    ["", ids.map(({ id }) => ({ value: id, label: names.get(id) || id, description: "" }))],
  ];
  if (type.endsWith("users_select")) return named(users.filter(({ is_bot, deleted }) => !is_bot && !deleted));
  if (/(conversations|channels)_select$/.test(type)) {
    const offered = channels.filter((channel) => offersConversation(element, channel, user));
    const nameOf = (channel: Channel): string => conversationName(channel, workspace, user);
    return [["", offered.map((one) => ({ value: one.id, label: nameOf(one), description: "" }))]];
  }
  const toChoice = ({ value, text, description }: Block): Choice => ({
    value: stringOf(value),
    label: optionWords(text, names),
    description: optionWords(description, names),
  });
  const groups = option_groups === undefined ? [{ options }] : listOf(option_groups);
  return groups.map((group: Block) => [words(group["label"]), listOf(group["options"]).map(toChoice)]);
}

function optionWords(object: unknown, names: Names): string {
  const { kind, text } = textOf(object);
  return kind === "mrkdwn" ? mrkdwnWords(text, names) : text;
}
