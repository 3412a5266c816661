import { z } from "zod";
import type { OpenView, ViewDefinition } from "../protocol/workspace.ts";
import { MOST_MODALS } from "../workspace/view-store.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";
import type { Trigger } from "../workspace/trigger-store.ts";
import { structured } from "./arguments.ts";
import { errorWithMessages, SlackError } from "./slack-error.ts";
import { toApiView } from "./view-shape.ts";
import { viewFrom } from "./view-rules.ts";
import { webMethod, type WebMethod } from "./web-method.ts";

const VIEW = { view: structured(z.unknown()) };
const TRIGGERED = z.object({
  ...VIEW,
  trigger_id: z.string().optional(),
  interactivity_pointer: z.string().optional(),
});

/** Methods of modals and the Home tab. See https://docs.slack.dev/reference/methods?family=views */
export const VIEW_METHODS: readonly WebMethod[] = [
  webMethod("views.open", {
    tier: "tier_4",
    args: TRIGGERED,
    run: ({ state }, args) => {
      const definition = newView(state, args.view, "modal");
      const { user } = triggerOf(state, args);
      state.views.close(
        user,
        state.views.modals(user).map(({ id }) => id),
      );
      return { view: toApiView(state.views.open(user, definition), state) };
    },
  }),

  webMethod("views.push", {
    tier: "tier_4",
    args: TRIGGERED,
    run: ({ state }, args) => {
      const definition = newView(state, args.view, "modal");
      const { user, view_id } = triggerOf(state, args);
      if (!state.views.modals(user).some(({ id }) => id === view_id)) throw new SlackError("not_found");
      return { view: toApiView(pushView(state, user, definition), state) };
    },
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
      const definition = newView(state, view, open.definition.type, open);
      checkHash(open, hash);
      return { view: toApiView(views.update(open, definition), state) };
    },
  }),

  webMethod("views.publish", {
    tier: "tier_4",
    args: z.object({ ...VIEW, user_id: z.string(), hash: z.string().optional() }),
    run: ({ state }, { user_id, hash, view }) => {
      if (!state.directory.user(user_id)) throw new SlackError("user_not_found");
      const before = state.views.home(user_id);
      const definition = newView(state, view, "home", before);
      if (before) checkHash(before, hash);
      const { views } = state;
      return { view: toApiView(before ? views.update(before, definition) : views.open(user_id, definition), state) };
    },
  }),
];

/** Opens a modal above a person's others. Throws `push_limit_reached`. */
export function pushView(state: WorkspaceState, user: string, definition: ViewDefinition): OpenView {
  if (state.views.modals(user).length >= MOST_MODALS) throw new SlackError("push_limit_reached");
  return state.views.open(user, definition);
}

/** Returns a valid view, in place of `before`. Throws as `viewFrom`, and `duplicate_external_id`. */
export function newView(
  state: WorkspaceState,
  value: unknown,
  type: ViewDefinition["type"],
  before?: OpenView,
): ViewDefinition {
  const definition = viewFrom(value, type);
  const { external_id } = definition;
  const same =
    typeof external_id === "string" && external_id !== "" ? state.views.findExternal(external_id) : undefined;
  if (same && same.id !== before?.id) throw new SlackError("duplicate_external_id");
  return definition;
}

function triggerOf(
  state: WorkspaceState,
  args: { trigger_id?: string | undefined; interactivity_pointer?: string | undefined },
): Trigger {
  const id = args.trigger_id ?? args.interactivity_pointer;
  if (id === undefined) throw errorWithMessages("invalid_arguments", ["missing required field: trigger_id"]);
  const trigger = state.triggers.exchange(id);
  if (typeof trigger === "string") throw new SlackError(trigger);
  return trigger;
}

function checkHash(view: OpenView, hash: string | undefined): void {
  if (hash !== undefined && hash !== view.hash) throw new SlackError("hash_conflict");
}
