import type { OpenView } from "../protocol/workspace.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";
import { elementsOf, type InteractiveElement } from "./interactive-elements.ts";

/** Returns the member that holds an element's value in actions and in states; undefined for a button. */
export function valueMember({ type }: InteractiveElement): string | undefined {
  const [, several, kind] = /^(multi_)?(\w+)_select$/.exec(type) ?? [];
  if (kind !== undefined) return `selected_${MENU_VALUES[kind] ?? kind.replace(/s$/, "")}${several ? "s" : ""}`;
  return VALUE_MEMBERS[type] ?? (/^(plain_text|email_text|url_text|number)_input$/.test(type) ? "value" : undefined);
}

const MENU_VALUES: Readonly<Record<string, string>> = { static: "option", external: "option" };
const VALUE_MEMBERS: Readonly<Record<string, string>> = {
  radio_buttons: "selected_option",
  overflow: "selected_option",
  checkboxes: "selected_options",
  datepicker: "selected_date",
  timepicker: "selected_time",
  datetimepicker: "selected_date_time",
  rich_text_input: "rich_text_value",
};

/** Returns true if an element's value is a list. */
export const isList = (element: InteractiveElement): boolean => valueMember(element)?.endsWith("s") === true;

/** Returns the key of `WorkspaceState.inputs` for a block's element. */
export const inputName = (block_id: string, action_id: string): string => `${block_id} ${action_id}`;

/** Returns `state`: the chosen, typed or initial values of all elements, by block and action. */
export function inputState(
  blocks: readonly unknown[],
  chosen: Readonly<Record<string, unknown>> = {},
): { values: Record<string, Record<string, Record<string, unknown>>> } {
  const values: ReturnType<typeof inputState>["values"] = {};
  for (const { block, element } of elementsOf(blocks)) {
    const member = valueMember(element);
    if (member === undefined || element.type === "overflow") continue;
    const initial = element[member.replace(/^(selected|rich_text)_|^(?=value)/, "initial_")];
    const last = chosen[inputName(block.block_id, element.action_id)];
    // Null is an emptied element, which has no initial value any more.
    const value = last === undefined ? (initial ?? (isList(element) ? [] : null)) : last;
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
