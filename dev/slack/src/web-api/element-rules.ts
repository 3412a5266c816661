import {
  anything,
  boolean,
  type Check,
  list,
  members,
  oneOf,
  plain,
  string,
  textObject,
  wholeNumber,
} from "./block-checks.ts";

/** Checks a confirmation dialog. See https://docs.slack.dev/reference/block-kit/composition-objects/confirmation-dialog-object */
const confirm = members({
  required: { text: textObject(300) },
  optional: { title: plain(100), confirm: plain(30), deny: plain(30), style: oneOf("primary", "danger") },
  closed: true,
});

const optionOf = (text: Check): Check =>
  members({
    required: { text, value: string(150) },
    optional: { description: textObject(75), url: string(3000) },
    closed: true,
  });

/** Checks an option of a menu. See https://docs.slack.dev/reference/block-kit/composition-objects/option-object */
export const option: Check = optionOf(plain(75));
const markedOption = optionOf(textObject(75));

/** Checks a group of options. */
export const optionGroup: Check = members({ required: { label: plain(75), options: list(100, option) }, closed: true });

const names = { action_id: string(255) };
const asked = { ...names, confirm };
const focus = { focus_on_load: boolean };
const placed = { ...focus, placeholder: plain(150) };
const lengths = { min_length: wholeNumber(0, 3000), max_length: wholeNumber(1, 3000) };
const several = { max_selected_items: wholeNumber(1) };
const typing = { ...names, ...placed, dispatch_action_config: anything, initial_value: string(3000, 0) };
const choices = { options: list(100, option), option_groups: list(100, optionGroup) };
const suggestions = { min_query_length: wholeNumber(0) };
const filtered = { default_to_current_conversation: boolean, filter: anything };
const style = { style: oneOf("primary", "danger") };
const choice = { text: plain(75), value: string(2000) };
const label = { accessibility_label: string(75) };
const feedback = members({ required: choice, optional: label, closed: true });

/** A menu of one choice, and the one of several; `one` names the initial choice. */
const menus = (kind: string, one: string, own: Record<string, Check>, rest: { oneOf?: readonly string[] } = {}) => ({
  [`${kind}_select`]: members({
    optional: { ...asked, ...placed, ...own, [`initial_${one}`]: anything, response_url_enabled: boolean },
    ...rest,
    closed: true,
  }),
  [`multi_${kind}_select`]: members({
    optional: { ...asked, ...placed, ...several, ...own, [`initial_${one}s`]: anything },
    ...rest,
    closed: true,
  }),
});

/** The interactive elements. See https://docs.slack.dev/reference/block-kit/block-elements */
export const ELEMENT_RULES: Readonly<Record<string, Check>> = {
  button: members({
    required: { text: plain(75) },
    optional: { ...asked, ...style, ...label, value: string(2000), url: string(3000) },
    closed: true,
  }),
  workflow_button: members({
    required: { text: plain(75), workflow: anything },
    optional: { ...asked, ...style, ...label },
    closed: true,
  }),
  feedback_buttons: members({
    required: { positive_button: feedback, negative_button: feedback },
    optional: names,
    closed: true,
  }),
  icon_button: members({
    required: { icon: oneOf("trash"), text: plain(75) },
    optional: { ...asked, ...label, value: string(2000), visible_to_user_ids: anything },
    closed: true,
  }),
  overflow: members({ required: { options: list(5, option) }, optional: asked, closed: true }),
  ...menus("static", "option", choices, { oneOf: ["options", "option_groups"] }),
  ...menus("external", "option", suggestions),
  ...menus("users", "user", {}),
  ...menus("conversations", "conversation", filtered),
  ...menus("channels", "channel", {}),
  radio_buttons: members({
    required: { options: list(10, markedOption) },
    optional: { ...asked, ...focus, initial_option: markedOption },
    closed: true,
  }),
  checkboxes: members({
    required: { options: list(10, markedOption) },
    optional: { ...asked, ...focus, initial_options: list(10, markedOption) },
    closed: true,
  }),
  datepicker: members({ optional: { ...asked, ...placed, initial_date: string(10) }, closed: true }),
  timepicker: members({
    optional: { ...asked, ...placed, initial_time: string(5), timezone: string(255) },
    closed: true,
  }),
  datetimepicker: members({ optional: { ...asked, ...focus, initial_date_time: wholeNumber(0) }, closed: true }),
  plain_text_input: members({ optional: { ...typing, ...lengths, multiline: boolean }, closed: true }),
  email_text_input: members({ optional: typing, closed: true }),
  url_text_input: members({ optional: typing, closed: true }),
  number_input: members({
    required: { is_decimal_allowed: boolean },
    optional: { ...typing, min_value: anything, max_value: anything },
    closed: true,
  }),
  rich_text_input: members({ optional: { ...typing, initial_value: anything }, closed: true }),
  file_input: members({ optional: { ...names, filetypes: anything, max_files: wholeNumber(1, 10) }, closed: true }),
};

const [MENUS, MULTI_MENUS] = [false, true].map((isMulti) =>
  Object.keys(ELEMENT_RULES).filter((type) => type.endsWith("_select") && type.startsWith("multi_") === isMulti),
) as [string[], string[]];
const PICKERS = ["checkboxes", "datepicker", "radio_buttons", "timepicker", ...MENUS, ...MULTI_MENUS];
const BUTTONS = ["button", "overflow", "workflow_button"];

/** The elements that each place accepts. */
export const ALLOWED_ELEMENTS = {
  accessory: [...BUTTONS, ...PICKERS],
  actions: [...BUTTONS, ...PICKERS, "datetimepicker", "rich_text_input"],
  context_actions: ["feedback_buttons", "icon_button"],
  input: [
    ...PICKERS,
    "datetimepicker",
    "plain_text_input",
    "email_text_input",
    "url_text_input",
    "number_input",
    "rich_text_input",
    "file_input",
  ],
} as const satisfies Record<string, readonly string[]>;
