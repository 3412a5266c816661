import {
  anything,
  boolean,
  type Check,
  isObject,
  list,
  members,
  oneOf,
  plain,
  string,
  textObject,
  wholeNumber,
} from "./block-checks.ts";

type Checks = Record<string, Check>;

/** Checks an object that has only these members. */
const only = (required: Checks, optional: Checks = {}, needed?: readonly string[]): Check =>
  members({ required, optional, closed: true, ...(needed && { oneOf: needed }) });

const style = { style: oneOf("primary", "danger") };
/** See https://docs.slack.dev/reference/block-kit/composition-objects/confirmation-dialog-object */
const confirm = only({ text: textObject(300) }, { title: plain(100), confirm: plain(30), deny: plain(30), ...style });

const optionOf = (text: Check): Check =>
  only({ text, value: string(150) }, { description: textObject(75), url: string(3000) });
const option = optionOf(plain(75));
const markedOption = optionOf(textObject(75));
const optionGroup = only({ label: plain(75), options: list(100, option) });

/** The options of a menu. See https://docs.slack.dev/reference/block-kit/composition-objects/option-object */
const OPTIONS: Checks = { options: list(100, option), option_groups: list(100, optionGroup) };

/** Checks also that the option with which a menu starts is its own. */
const starting =
  (check: Check): Check =>
  (value, at) => {
    const { initial_option, ...others } = isObject(value) ? value : {};
    const isOwn = initial_option === undefined || JSON.stringify(others).includes(JSON.stringify(initial_option));
    return [...check(value, at), ...(isOwn ? [] : [["must be one of the options", `${at}/initial_option`] as const])];
  };

const names = { action_id: string(255) };
const asked = { ...names, confirm };
const focus = { ...asked, focus_on_load: boolean };
const placed = { ...focus, placeholder: plain(150) };
const label = { accessibility_label: string(75) };
const text = { text: plain(75) };
const value = { value: string(2000) };
const feedback = only({ ...text, ...value }, label);
const typing = {
  ...names,
  focus_on_load: boolean,
  placeholder: plain(150),
  dispatch_action_config: anything,
  initial_value: string(3000, 0),
};
const lengths = { min_length: wholeNumber(0, 3000), max_length: wholeNumber(1, 3000), multiline: boolean };
const kinds = list(4, oneOf("im", "mpim", "private", "public"));
const filters = { include: kinds, exclude_external_shared_channels: boolean, exclude_bot_users: boolean };
const filtered = { default_to_current_conversation: boolean, filter: only({}, filters, Object.keys(filters)) };

/** A menu for one choice and one for several; `one` names the initial choice. */
function menus(kind: string, one: string, own: Checks): Checks {
  const needed = own === OPTIONS ? Object.keys(OPTIONS) : undefined;
  const hasUrls = kind === "conversations" || kind === "channels";
  const single = { ...placed, ...own, [`initial_${one}`]: anything, ...(hasUrls && { response_url_enabled: boolean }) };
  const several = { ...placed, ...own, [`initial_${one}s`]: anything, max_selected_items: wholeNumber(1) };
  const menu = only({}, single, needed);
  return { [`${kind}_select`]: needed ? starting(menu) : menu, [`multi_${kind}_select`]: only({}, several, needed) };
}

/** The interactive elements. See https://docs.slack.dev/reference/block-kit/block-elements */
export const ELEMENT_RULES: Readonly<Checks> = {
  button: only(text, { ...asked, ...style, ...label, ...value, url: string(3000) }),
  workflow_button: only({ ...text, workflow: anything }, { ...asked, ...style, ...label }),
  feedback_buttons: only({ positive_button: feedback, negative_button: feedback }, names),
  icon_button: only({ icon: oneOf("trash"), ...text }, { ...asked, ...label, ...value, visible_to_user_ids: anything }),
  overflow: only({ options: list(5, option) }, asked),
  ...menus("static", "option", OPTIONS),
  ...menus("external", "option", { min_query_length: wholeNumber(0) }),
  ...menus("users", "user", {}),
  ...menus("conversations", "conversation", filtered),
  ...menus("channels", "channel", {}),
  radio_buttons: only({ options: list(10, markedOption) }, { ...focus, initial_option: markedOption }),
  checkboxes: only({ options: list(10, markedOption) }, { ...focus, initial_options: list(10, markedOption) }),
  datepicker: only({}, { ...placed, initial_date: string(10) }),
  timepicker: only({}, { ...placed, initial_time: string(5), timezone: string(255) }),
  datetimepicker: only({}, { ...focus, initial_date_time: wholeNumber(0) }),
  plain_text_input: only({}, { ...typing, ...lengths }),
  email_text_input: only({}, typing),
  url_text_input: only({}, typing),
  number_input: only({ is_decimal_allowed: boolean }, { ...typing, min_value: anything, max_value: anything }),
  rich_text_input: only({}, { ...typing, initial_value: anything }),
  file_input: only({}, { ...names, filetypes: anything, max_files: wholeNumber(1, 10) }),
};

const BUTTONS = ["button", "overflow", "workflow_button"];
const PICKERS = Object.keys(ELEMENT_RULES).filter((type) =>
  /_select$|^(checkboxes|radio_buttons|(date|time)picker)$/.test(type),
);
const INPUTS = Object.keys(ELEMENT_RULES).filter((type) => type.endsWith("_input"));

/** The elements that each place accepts. */
export const ALLOWED_ELEMENTS: Readonly<
  Record<"accessory" | "actions" | "context_actions" | "input", readonly string[]>
> = {
  accessory: [...BUTTONS, ...PICKERS],
  actions: [...BUTTONS, ...PICKERS, "datetimepicker", "rich_text_input"],
  context_actions: ["feedback_buttons", "icon_button"],
  input: [...PICKERS, "datetimepicker", ...INPUTS],
};
