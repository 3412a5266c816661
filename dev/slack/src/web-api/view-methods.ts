import { z } from "zod";
import type { OpenView, ViewDefinition } from "../protocol/workspace.ts";
import { MOST_MODALS } from "../workspace/view-store.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";
import type { Trigger } from "../workspace/trigger-store.ts";
import { structured } from "./arguments.ts";
import { errorWithMessages, SlackError } from "./slack-error.ts";
import { toApiView } from "./view-shape.ts";
import { elementsOf } from "./interactive-elements.ts";
import { offersConversation } from "../workspace/conversation-filter.ts";
import { viewFrom } from "./view-rules.ts";
import { webMethod, type WebMethod } from "./web-method.ts";

const VIEW = { view: structured(z.unknown()) };
/** Methods of modals and Home tabs. See https://docs.slack.dev/reference/methods?family=views */
export const VIEW_METHODS: readonly WebMethod[] = [
  triggered("views.open", (state, { user }, definition) => {
    state.views.close(user);
    return state.views.open(user, definition);
  }),

  triggered("views.push", (state, { user, view_id }, definition) => {
    if (!state.views.modals(user).some(({ id }) => id === view_id)) throw new SlackError("not_found");
    return pushView(state, user, definition);
  }),

  webMethod("views.update", {
    tier: "tier_4",
    args: z.object({
      ...VIEW,
      view_id: z.string().optional(),
      external_id: z.string().optional(),
      hash: z.string().optional(),
    }),
    run: ({ state }, { view_id, external_id, hash, view }) => {
      if (view_id === undefined && external_id === undefined)
        throw errorWithMessages("invalid_arguments", ["missing required field: view_id or external_id"]);
      const { views } = state;
      const open = view_id === undefined ? views.findExternal(external_id ?? "") : views.find(view_id);
      if (!open) throw new SlackError("not_found");
      const definition = newView(state, view, open);
      if (hash !== undefined && hash !== open.hash) throw new SlackError("hash_conflict");
      return { view: toApiView(views.update(open, definition), state) };
    },
  }),

  webMethod("views.publish", {
    tier: "tier_4",
    args: z.object({ ...VIEW, user_id: z.string(), hash: z.string().optional() }),
    run: ({ state }, { user_id, hash, view }) => {
      const { directory, views } = state;
      if (directory.user(user_id) === undefined) throw new SlackError("user_not_found");
      const definition = viewFrom(view, "home");
      if (directory.workspace.app.home_tab_disabled === true) throw new SlackError("not_enabled");
      if (hash !== undefined && hash !== views.home(user_id)?.hash) throw new SlackError("hash_conflict");
      return { view: toApiView(views.publish(user_id, definition), state) };
    },
  }),
];

/** Opens a modal above a person's others. Throws `push_limit_reached`. */
export function pushView(state: WorkspaceState, user: string, definition: ViewDefinition): OpenView {
  if (state.views.modals(user).length >= MOST_MODALS) throw new SlackError("push_limit_reached");
  return state.views.open(user, definition);
}

/** Returns a valid view, in place of `before`. Throws as `viewFrom`, and `duplicate_external_id`. */
export function newView(state: WorkspaceState, value: unknown, before?: OpenView): ViewDefinition {
  const definition = viewFrom(value, "modal");
  const { external_id } = definition;
  const same =
    typeof external_id === "string" && external_id !== "" ? state.views.findExternal(external_id) : undefined;
  if (same && same.id !== before?.id) throw new SlackError("duplicate_external_id");
  return definition;
}

/** Defines a method that shows a new view to the person of a trigger. */
function triggered(
  name: string,
  show: (state: WorkspaceState, trigger: Trigger, definition: ViewDefinition) => OpenView,
): WebMethod {
  return webMethod(name, {
    tier: "tier_4",
    args: z.object({ ...VIEW, trigger_id: z.string().optional(), interactivity_pointer: z.string().optional() }),
    run: ({ state }, { view, trigger_id, interactivity_pointer: id = trigger_id }) => {
      const definition = newView(state, view);
      if (id === undefined) throw errorWithMessages("invalid_arguments", ["missing required field: trigger_id"]);
      const trigger = state.triggers.exchange(id);
      if (typeof trigger === "string") throw new SlackError(trigger);
      return { view: toApiView(show(state, trigger, inConversation(state, trigger, definition)), state) };
    },
  });
}

/** Returns a view whose menus of conversations start with the one where it was opened, if they ask for it and offer it. */
function inConversation({ directory }: WorkspaceState, { user, channel: id = "" }: Trigger, view: ViewDefinition) {
  const channel = directory.channel(id);
  for (const { element } of elementsOf(view.blocks)) {
    const { type, default_to_current_conversation: isWanted } = element;
    if (type === "conversations_select" && isWanted === true && channel && offersConversation(element, channel, user))
      Object.assign(element, { initial_conversation: id, ...element });
  }
  return view;
}
