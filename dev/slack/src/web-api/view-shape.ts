import type { OpenView } from "../protocol/workspace.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";
import { elementsOf, type InteractiveElement } from "./interactive-elements.ts";

/** The member that holds the value of an element of each type. */
const VALUE_MEMBERS: Readonly<Record<string, string>> = {
  static_select: "selected_option",
  external_select: "selected_option",
  radio_buttons: "selected_option",
  overflow: "selected_option",
  multi_static_select: "selected_options",
  multi_external_select: "selected_options",
  checkboxes: "selected_options",
  users_select: "selected_user",
  multi_users_select: "selected_users",
  conversations_select: "selected_conversation",
  multi_conversations_select: "selected_conversations",
  channels_select: "selected_channel",
  multi_channels_select: "selected_channels",
  datepicker: "selected_date",
  timepicker: "selected_time",
  datetimepicker: "selected_date_time",
  rich_text_input: "rich_text_value",
  plain_text_input: "value",
  email_text_input: "value",
  url_text_input: "value",
  number_input: "value",
};

/** Returns the member that holds an element's value in actions and in states; undefined for a button. */
export const valueMember = ({ type }: InteractiveElement): string | undefined => VALUE_MEMBERS[type];

/** Returns true if an element's value is a list. */
export const isList = (element: InteractiveElement): boolean => valueMember(element)?.endsWith("s") === true;

/** Returns the key of `WorkspaceState.inputs` for a block's element. */
export const inputName = (block_id: string, action_id: string): string => `${block_id} ${action_id}`;

/** Returns `state`: the chosen, typed or initial values of all elements, by block and action. */
export function inputState(
  blocks: readonly unknown[],
  chosen: Readonly<Record<string, unknown>> = {},
): { values: Record<string, Record<string, unknown>> } {
  const values: Record<string, Record<string, unknown>> = {};
  for (const { block, element } of elementsOf(blocks)) {
    const member = valueMember(element);
    if (member === undefined || element.type === "overflow") continue;
    const initial = element[member.replace(/^(selected|rich_text)_|^(?=value)/, "initial_")];
    const value = chosen[inputName(block.block_id, element.action_id)] ?? initial ?? (isList(element) ? [] : null);
    values[block.block_id] = {
      ...values[block.block_id],
      [element.action_id]: { type: element.type, [member]: value },
    };
  }
  return { values };
}

/** Returns a view in the format of the Web API. See https://docs.slack.dev/reference/interaction-payloads/view-interactions-payload */
export function toApiView(view: OpenView, { directory, inputs }: WorkspaceState): Record<string, unknown> {
  const { team, app } = directory.workspace;
  const { id, hash, root_view_id, previous_view_id, definition } = view;
  const own = { title: null, close: null, submit: null, clear_on_close: false, notify_on_close: false };
  return {
    id,
    team_id: team.id,
    app_id: app.app_id,
    app_installed_team_id: team.id,
    bot_id: app.bot_id,
    private_metadata: "",
    callback_id: "",
    external_id: "",
    ...own,
    ...definition,
    state: inputState(definition.blocks, inputs.get(id)),
    hash,
    root_view_id,
    previous_view_id,
  };
}
