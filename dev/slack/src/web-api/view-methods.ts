import { z } from "zod";
import { newSlackId } from "../workspace/slack-id.ts";
import { structured } from "./arguments.ts";
import { errorWithMessages, SlackError } from "./slack-error.ts";
import { HOME_VIEW, MODAL_VIEW, readView, toApiView } from "./view-shape.ts";
import { webMethod } from "./web-method.ts";
import type { WebMethod } from "./web-method.ts";

/** The Home tab and modals. See https://docs.slack.dev/reference/methods/views.publish */
export const VIEW_METHODS: readonly WebMethod[] = [
  webMethod("views.publish", {
    tier: "tier_4",
    args: z.object({ user_id: z.string(), view: structured(z.unknown()), hash: z.string().optional() }),
    run: ({ state }, args) => {
      if (!state.directory.user(args.user_id)) throw new SlackError("user_not_found");
      const given = readView(HOME_VIEW, args.view);
      const previous = state.homeViews.get(args.user_id);
      if (args.hash !== undefined && args.hash !== previous?.["hash"]) throw new SlackError("hash_conflict");
      const view = { id: previous?.["id"] ?? newSlackId("V"), ...toApiView(given, state) };
      state.homeViews.set(args.user_id, view);
      return { view };
    },
  }),

  webMethod("views.open", {
    tier: "tier_4",
    args: z.object({
      trigger_id: z.string().optional(),
      interactivity_pointer: z.string().optional(),
      view: structured(z.unknown()),
    }),
    run: ({ state }, args) => {
      const trigger_id = args.trigger_id ?? args.interactivity_pointer;
      if (trigger_id === undefined)
        throw errorWithMessages("invalid_arguments", ["missing required field: trigger_id"]);
      const trigger = state.triggers.find(trigger_id);
      if (typeof trigger === "string") throw new SlackError(trigger);
      const given = readView(MODAL_VIEW, args.view);
      const opened = [...state.modals.values()].flat();
      const { external_id } = given;
      if (external_id !== undefined && opened.some((one) => one["external_id"] === external_id))
        throw new SlackError("duplicate_external_id");
      state.triggers.exchange(trigger_id);
      const id = newSlackId("V");
      const whole = { private_metadata: "", callback_id: "", close: null, submit: null, external_id: "", ...given };
      const view = {
        id,
        ...toApiView(whole, state),
        state: { values: {} },
        clear_on_close: given["clear_on_close"] === true,
        notify_on_close: given["notify_on_close"] === true,
        previous_view_id: null,
        root_view_id: id,
      };
      state.modals.set(trigger.user, [...(state.modals.get(trigger.user) ?? []), view]);
      return { view };
    },
  }),
];
